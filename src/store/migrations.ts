// The tables of the local database, as steps that are only ever added to: step n brings a store from version n to n + 1.

export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE leases (
    name TEXT PRIMARY KEY, holder TEXT, token INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE journal (
    seq INTEGER PRIMARY KEY, run_id TEXT NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL, event TEXT NOT NULL
  ) STRICT;

  CREATE TABLE questions (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, run_id TEXT NOT NULL, title TEXT NOT NULL,
    body TEXT NOT NULL, answer_schema TEXT NOT NULL, asked_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE answers (
    question_id TEXT PRIMARY KEY REFERENCES questions (id), answer TEXT NOT NULL, answered_by TEXT NOT NULL,
    answered_at TEXT NOT NULL, applied_at TEXT
  ) STRICT;

  CREATE TABLE artifacts (
    seq INTEGER PRIMARY KEY, artifact_id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, version TEXT NOT NULL,
    status TEXT NOT NULL, lineage TEXT NOT NULL, pillar TEXT NOT NULL, envelope TEXT NOT NULL, body TEXT NOT NULL,
    UNIQUE (lineage, version)
  ) STRICT;
  CREATE INDEX artifacts_by_type ON artifacts (type, status);
  CREATE TABLE artifact_transitions (
    seq INTEGER PRIMARY KEY, artifact_id TEXT NOT NULL REFERENCES artifacts (artifact_id), from_status TEXT NOT NULL,
    to_status TEXT NOT NULL
  ) STRICT;
  CREATE INDEX artifact_transitions_by_artifact ON artifact_transitions (artifact_id, seq);

  CREATE TABLE contributions (
    seq INTEGER PRIMARY KEY, contribution_id TEXT NOT NULL UNIQUE, task_ref TEXT, contribution TEXT NOT NULL
  ) STRICT;
  CREATE INDEX contributions_by_task ON contributions (task_ref, seq);

  CREATE TABLE pack_access (
    seq INTEGER PRIMARY KEY, pack_id TEXT NOT NULL, at TEXT NOT NULL, operation TEXT NOT NULL, path TEXT NOT NULL,
    granted INTEGER NOT NULL, reason TEXT NOT NULL
  ) STRICT;
  CREATE INDEX pack_access_by_pack ON pack_access (pack_id, seq);

  CREATE TABLE modules (
    module_id TEXT NOT NULL, version TEXT NOT NULL, files TEXT NOT NULL, sealed_at TEXT,
    PRIMARY KEY (module_id, version)
  ) STRICT;
  `,
  `
  -- One row per run of a graph; an epoch is one way through it, from an entry on.
  CREATE TABLE graph_threads (
    thread TEXT PRIMARY KEY, run_id TEXT NOT NULL, graph TEXT NOT NULL, structure TEXT NOT NULL, epoch INTEGER NOT NULL,
    entry TEXT NOT NULL, begun_with BLOB NOT NULL, status TEXT NOT NULL, ended_with BLOB, changed_at TEXT NOT NULL
  ) STRICT;

  -- The order of the rows is the order of the steps, whatever the clocks of the writers said.
  CREATE TABLE graph_checkpoints (
    seq INTEGER PRIMARY KEY, thread TEXT NOT NULL, ns TEXT NOT NULL, id TEXT NOT NULL, parent TEXT,
    depth INTEGER NOT NULL, head TEXT NOT NULL, metadata TEXT NOT NULL,
    UNIQUE (thread, ns, id)
  ) STRICT;

  -- A value whole, or as what lies between the first and the last bytes that it shares with its base.
  CREATE TABLE graph_values (
    id INTEGER PRIMARY KEY, thread TEXT NOT NULL, base INTEGER, depth INTEGER NOT NULL, first INTEGER NOT NULL,
    last INTEGER NOT NULL, middle BLOB NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX graph_values_by_thread ON graph_values (thread);

  CREATE TABLE graph_writes (
    thread TEXT NOT NULL, ns TEXT NOT NULL, checkpoint TEXT NOT NULL, task TEXT NOT NULL, place INTEGER NOT NULL,
    channel TEXT NOT NULL, base INTEGER, first INTEGER NOT NULL, last INTEGER NOT NULL, middle BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (thread, ns, checkpoint, task, place)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE graph_attempts (
    thread TEXT NOT NULL, step TEXT NOT NULL, node TEXT NOT NULL, attempts INTEGER NOT NULL, spent TEXT NOT NULL,
    PRIMARY KEY (thread, step, node)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE graph_once (
    thread TEXT NOT NULL, step TEXT NOT NULL, node TEXT NOT NULL, name TEXT NOT NULL, result BLOB NOT NULL,
    PRIMARY KEY (thread, step, node, name)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What waits for a node of a thread. What was handled stays as its key alone, so that it is not delivered again.
  CREATE TABLE graph_mail (
    seq INTEGER PRIMARY KEY, thread TEXT NOT NULL, node TEXT NOT NULL, dedupe_key TEXT NOT NULL, kind TEXT NOT NULL,
    message TEXT,
    UNIQUE (thread, node, dedupe_key)
  ) STRICT;
  CREATE INDEX graph_mail_waiting ON graph_mail (thread, node, kind) WHERE message IS NOT NULL;

  -- Work beside a thread; without an outcome it is under way, or was when its process died.
  CREATE TABLE graph_advice (
    thread TEXT NOT NULL, epoch INTEGER NOT NULL, job TEXT NOT NULL, node TEXT NOT NULL, input BLOB NOT NULL,
    starts INTEGER NOT NULL, outcome BLOB,
    PRIMARY KEY (thread, epoch, job)
  ) STRICT, WITHOUT ROWID;

  CREATE TRIGGER graph_mail_ends AFTER UPDATE OF status ON graph_threads WHEN NEW.status = 'archived' BEGIN
    DELETE FROM graph_mail WHERE thread = NEW.thread;
  END;
  CREATE TRIGGER graph_threads_end AFTER DELETE ON graph_threads BEGIN
    DELETE FROM graph_mail WHERE thread = OLD.thread;
    DELETE FROM graph_advice WHERE thread = OLD.thread;
  END;
  `,
  `
  CREATE TABLE run_budgets (run_id TEXT PRIMARY KEY, budget TEXT NOT NULL) STRICT;
  `,
  `
  -- The highest token of all leases whose rows are gone: a name that comes back goes on above it, so that no fence of its
  -- former owners ever holds again.
  CREATE TABLE lease_floor (id INTEGER PRIMARY KEY CHECK (id = 1), token INTEGER NOT NULL) STRICT;
  INSERT INTO lease_floor (id, token) VALUES (1, 0);
  `,
];
