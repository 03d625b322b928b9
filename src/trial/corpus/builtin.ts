// The builtin corpus: tasks of our own, in TypeScript, for trials with simulated workers or real ones.
import type { BuiltinTask } from "./builtin-task.ts";
import { ADD_MONTHS } from "./builtin/add-months.ts";
import { AGO_LABEL } from "./builtin/ago-label.ts";
import { APPLY_VOUCHERS } from "./builtin/apply-vouchers.ts";
import { BOOKING_PROBLEMS } from "./builtin/booking-problems.ts";
import { CHECK_TICKET } from "./builtin/check-ticket.ts";
import { COMPLETE_WORD } from "./builtin/complete-word.ts";
import { COUNT_WORKDAYS } from "./builtin/count-workdays.ts";
import { FEWEST_HOPS } from "./builtin/fewest-hops.ts";
import { GROUP_BURSTS } from "./builtin/group-bursts.ts";
import { HIDE_NUMBERS } from "./builtin/hide-numbers.ts";
import { ISO_WEEK } from "./builtin/iso-week.ts";
import { LOCK_DOOR } from "./builtin/lock-door.ts";
import { LONGEST_STREAK } from "./builtin/longest-streak.ts";
import { LRU_HITS } from "./builtin/lru-hits.ts";
import { MAP_LIMITED } from "./builtin/map-limited.ts";
import { MERGE_RANGES } from "./builtin/merge-ranges.ts";
import { MONEY_TEXT } from "./builtin/money-text.ts";
import { MOVING_MEDIAN } from "./builtin/moving-median.ts";
import { ORDER_STEPS } from "./builtin/order-steps.ts";
import { PACK_RUNS } from "./builtin/pack-runs.ts";
import { PARSE_CSV_LINE } from "./builtin/parse-csv-line.ts";
import { PARSE_DURATION } from "./builtin/parse-duration.ts";
import { PARSE_OPTIONS } from "./builtin/parse-options.ts";
import { PARSE_SETTINGS } from "./builtin/parse-settings.ts";
import { PASSWORD_RULES } from "./builtin/password-rules.ts";
import { PICK_SEATS } from "./builtin/pick-seats.ts";
import { READ_STOCK } from "./builtin/read-stock.ts";
import { REPLAY_EDITS } from "./builtin/replay-edits.ts";
import { RETRY_WORK } from "./builtin/retry-work.ts";
import { SELL_DRINKS } from "./builtin/sell-drinks.ts";
import { SHARE_COST } from "./builtin/share-cost.ts";
import { TIERED_FEE } from "./builtin/tiered-fee.ts";
import { TRACK_PARCEL } from "./builtin/track-parcel.ts";
import { UNIQUE_SLUGS } from "./builtin/unique-slugs.ts";
import { WRAP_TEXT } from "./builtin/wrap-text.ts";
import type { Corpus } from "./corpus-task.ts";

const TASKS: readonly BuiltinTask[] = [
  PARSE_CSV_LINE,
  PARSE_DURATION,
  PARSE_OPTIONS,
  PARSE_SETTINGS,
  COMPLETE_WORD,
  LRU_HITS,
  MERGE_RANGES,
  REPLAY_EDITS,
  ADD_MONTHS,
  COUNT_WORKDAYS,
  ISO_WEEK,
  APPLY_VOUCHERS,
  MONEY_TEXT,
  SHARE_COST,
  TIERED_FEE,
  HIDE_NUMBERS,
  PACK_RUNS,
  UNIQUE_SLUGS,
  WRAP_TEXT,
  GROUP_BURSTS,
  MAP_LIMITED,
  RETRY_WORK,
  LOCK_DOOR,
  SELL_DRINKS,
  TRACK_PARCEL,
  BOOKING_PROBLEMS,
  CHECK_TICKET,
  PASSWORD_RULES,
  PICK_SEATS,
  FEWEST_HOPS,
  LONGEST_STREAK,
  MOVING_MEDIAN,
  ORDER_STEPS,
  AGO_LABEL,
  READ_STOCK,
];

export interface BuiltinCorpus extends Corpus {
  tasks(): readonly BuiltinTask[];
}

/** In the order of their areas. */
export const BUILTIN: BuiltinCorpus = { name: "builtin", tasks: () => TASKS };
