// Recognises sentences that promise something a test can observe, by their verbs.

/** True when the text holds a verb of observable behaviour in any of its forms: "returns", "is rejected", "must log". */
export function promisesObservableBehavior(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.some((word, index) => {
    if (FORMS.has(word)) return true;
    if (!NOUN_LIKE.has(word)) return false;
    const before = words[index - 1];
    return before === undefined || LEADS_TO_VERB.has(before);
  });
}

const VERBS = words(`
  abort accept accumulate add advance alert allow announce append appear apply approve archive arrive ask assign
  attach authenticate authorise authorize await become begin bind break bring build calculate cancel cap capture cast
  clamp clear collapse collect combine commit compare compile complete compress compute confirm connect consume
  contain continue convert copy correspond create decline decode decompress decrease decrement decrypt deduplicate
  delete deliver deny derive detect disable disallow disappear disconnect dismiss dispatch display download drain
  emit enable encode encrypt enqueue enter equal erase escape evaluate evict exceed exclude execute exit expand
  expire expose extract fade fail fetch fill find finish fire fit flush forbid forward generate get give grant grow
  halt hide hold identify ignore import include increase increment indent inform inherit initialise initialize insert
  install invalidate invoke iterate keep leave let load lose match merge migrate mount move multiply navigate negate
  normalise normalize notify obtain offer omit open overwrite parse pass paste pause permit persist pick populate
  prefix prepend preserve prevent print proceed produce prohibit propagate provide prune publish push put raise reach
  read receive reconnect recover redact redirect reduce refer refresh refuse reject release reload remain remove
  rename render reopen repeat replace reply reproduce request require reset resize resolve respond restart restore
  resume retain retrieve return reuse reveal revert revoke rotate round run satisfy save say scan select send separate
  serialise serialize serve show shrink shut skip sort spawn split stay store strip submit subscribe subtract succeed
  suppress survive swap synchronise synchronize take tell terminate throw toggle transfer transform translate transmit
  traverse treat trim truncate turn undo uninstall unlock unmount unsubscribe update upload validate vanish verify wait
  warn withdraw wrap write yield zero
`);

/** Verbs whose plain form is more often a noun; it counts only where a verb must stand. */
const NOUN_LIKE = words(`
  backup block cache call change check close count cover crash drop encounter export fall filter flag focus format
  freeze group highlight index issue join label limit link list listen lock log look map mark mask order output
  override play poll post process prompt query queue rank record reference register report respect retry roll sample
  scale score scroll search set sign signal start stop stream switch time total trace track transition trigger type
  value view zoom
`);

const LEADS_TO_VERB = words(`
  must should shall will would can cannot could may might does do not never to always and or also then only t please
`);

/** Forms that no rule makes. */
const IRREGULAR = words(`
  became began begun bound broke broken brought built came fell fallen found froze forbade forbidden frozen gave given got gotten grew
  grown held hid hidden kept left lost ran read said saw sent shown shrank shrunk shut split threw thrown told took
  taken undid undone withdrew withdrawn written wrote
`);

const DOUBLED = words(`
  begin cap drop emit fit get commit forbid let log map omit permit put refer run set shut skip split stop
  strip submit swap transfer trim wrap cancel label signal
`);

const FORMS = new Set([...VERBS, ...IRREGULAR, ...[...VERBS, ...NOUN_LIKE].flatMap(inflected)]);

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/** The regular forms of a verb: returns, returned, returning. */
function inflected(verb: string): string[] {
  const consonantY = /[^aeiou]y$/.test(verb);
  const stem = DOUBLED.has(verb) ? verb + verb.slice(-1) : verb;
  if (consonantY) return [`${verb.slice(0, -1)}ies`, `${verb.slice(0, -1)}ied`, `${verb}ing`];
  if (verb.endsWith("e")) return [`${verb}s`, `${verb}d`, `${verb.slice(0, -1)}ing`];
  const plural = /(?:s|x|z|ch|sh|o)$/.test(verb) ? "es" : "s";
  return [verb + plural, `${stem}ed`, `${stem}ing`];
}
