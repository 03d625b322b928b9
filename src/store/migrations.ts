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
  `
  -- The Code Index: a ledger in which an entry stays as it was appended, and beside it what may change. "revision" grows
  -- with every change of any entry, so that others see what is new to them.
  CREATE TABLE code_index (
    seq INTEGER PRIMARY KEY, module_id TEXT NOT NULL, version TEXT NOT NULL, entry TEXT NOT NULL,
    text_hash TEXT NOT NULL, status TEXT NOT NULL, superseded_by TEXT, notes TEXT NOT NULL,
    revision INTEGER NOT NULL UNIQUE,
    UNIQUE (module_id, version)
  ) STRICT;

  -- One model's vectors of all entries. At most one generation is in use and at most one is being made.
  CREATE TABLE code_index_generations (
    generation INTEGER PRIMARY KEY, model TEXT NOT NULL, dimensions INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('building', 'current'))
  ) STRICT;
  CREATE UNIQUE INDEX code_index_generations_by_state ON code_index_generations (state);
  CREATE TABLE code_index_vectors (
    id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, seq INTEGER NOT NULL REFERENCES code_index (seq),
    vector BLOB NOT NULL,
    UNIQUE (generation, seq)
  ) STRICT;

  CREATE TRIGGER code_index_keeps BEFORE DELETE ON code_index BEGIN
    SELECT RAISE(ABORT, 'the Code Index is append-only: nothing is deleted');
  END;
  -- "INSERT OR REPLACE" deletes without a word.
  CREATE TRIGGER code_index_key_once BEFORE INSERT ON code_index
  WHEN EXISTS (
    SELECT 1 FROM code_index
    WHERE seq = NEW.seq OR revision = NEW.revision OR (module_id = NEW.module_id AND version = NEW.version)
  ) BEGIN
    SELECT RAISE(ABORT, 'the Code Index is append-only: no key is used twice');
  END;
  CREATE TRIGGER code_index_stays BEFORE UPDATE OF seq, module_id, version, entry, text_hash ON code_index BEGIN
    SELECT RAISE(ABORT, 'the Code Index is append-only: only status, successor and notes change');
  END;
  CREATE TRIGGER code_index_one_way BEFORE UPDATE OF status ON code_index
  WHEN NEW.status <> OLD.status AND NOT (
    (OLD.status = 'SHIPPED' AND NEW.status IN ('DEPRECATED', 'SUPERSEDED'))
    OR (OLD.status = 'DEPRECATED' AND NEW.status = 'SUPERSEDED')
  ) BEGIN
    SELECT RAISE(ABORT, 'the status of a module in the Code Index never goes back');
  END;
  CREATE TRIGGER code_index_vectors_stay BEFORE UPDATE ON code_index_vectors BEGIN
    SELECT RAISE(ABORT, 'a vector of the Code Index is made anew, never changed');
  END;
  CREATE TRIGGER code_index_vectors_keep BEFORE DELETE ON code_index_vectors
  WHEN EXISTS (
    SELECT 1 FROM code_index_generations WHERE generation = OLD.generation AND state = 'current'
  ) BEGIN
    SELECT RAISE(ABORT, 'the vectors in use are never deleted');
  END;
  `,
  `
  -- One row for each module version that shipped. Files, product and Code Index follow it; it is finished when all have.
  CREATE TABLE ships (
    seq INTEGER PRIMARY KEY, module_id TEXT NOT NULL, version TEXT NOT NULL, ship TEXT NOT NULL, product_commit TEXT,
    finished_at TEXT,
    UNIQUE (module_id, version)
  ) STRICT;
  CREATE INDEX ships_unfinished ON ships (seq) WHERE finished_at IS NULL;
  `,
  `
  -- One product is worked on under one run, from its first question to its release.
  CREATE TABLE current_run (id INTEGER PRIMARY KEY CHECK (id = 1), run_id TEXT NOT NULL) STRICT;

  CREATE TABLE project (
    id INTEGER PRIMARY KEY CHECK (id = 1), project_id TEXT NOT NULL, spec_version TEXT NOT NULL, spec_ref TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  -- "entry" is the task in the state machine. A file is published when the product has it in its newest revision.
  CREATE TABLE tasks (
    place INTEGER PRIMARY KEY, task_id TEXT NOT NULL UNIQUE, entry TEXT NOT NULL, path TEXT NOT NULL UNIQUE,
    file TEXT NOT NULL, attempt INTEGER NOT NULL, resolution TEXT, change TEXT, revision INTEGER NOT NULL,
    published INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tasks_unpublished ON tasks (place) WHERE published < revision;
  `,
  `
  -- The policy that a task was dispatched under. One attempt has one, whatever is configured afterwards.
  ALTER TABLE tasks ADD COLUMN policy TEXT;
  CREATE TRIGGER tasks_policy_stays BEFORE UPDATE ON tasks
  WHEN OLD.policy IS NOT NULL AND NEW.policy IS NOT OLD.policy AND NEW.attempt = OLD.attempt BEGIN
    SELECT RAISE(ABORT, 'the policy of a task stays as it was when the task was dispatched');
  END;
  `,
  `
  -- What has happened to each tree of nodes, in order; how a tree stands follows from it.
  CREATE TABLE trees (seq INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, root TEXT NOT NULL) STRICT;
  CREATE TABLE tree_events (
    seq INTEGER PRIMARY KEY, tree TEXT NOT NULL, key TEXT NOT NULL, event TEXT NOT NULL,
    UNIQUE (tree, key)
  ) STRICT;
  `,
];
