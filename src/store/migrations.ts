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
];
