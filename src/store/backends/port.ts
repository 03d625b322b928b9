// What a file backend is to an agent's tools: the shapes of deepagents' BackendProtocolV2, so that ours plug in there.
// Paths are absolute and virtual ("/" is the backend's root). Refusals are values: every result may carry an `error`.

export interface FileInfo {
  path: string;
  is_dir?: boolean;
  size?: number;
  modified_at?: string;
}

export interface FileData {
  content: string | Uint8Array;
  mimeType: string;
  created_at: string;
  modified_at: string;
}

export interface ReadResult {
  error?: string;
  content?: string | Uint8Array;
  mimeType?: string;
  totalLines?: number;
  startLine?: number;
  endLine?: number;
  nextOffset?: number;
}

export interface ReadRawResult {
  error?: string;
  data?: FileData;
}

export interface LsResult {
  error?: string;
  files?: FileInfo[];
}

export interface GlobResult {
  error?: string;
  files?: FileInfo[];
  truncated?: boolean;
}

export interface GrepMatch {
  path: string;
  line: number;
  text: string;
}

export interface GrepResult {
  error?: string;
  matches?: GrepMatch[];
  truncated?: boolean;
}

export interface WriteResult {
  error?: string;
  path?: string;
}

export interface EditResult {
  error?: string;
  path?: string;
  occurrences?: number;
}

export interface DeleteResult {
  error?: string;
  path?: string;
}

export interface Backend {
  /** The entries of one directory; directories end in "/". */
  ls(path: string): Promise<LsResult>;
  /** A page of a text file by lines (offset counts from 0, limit defaults to 500), or the bytes of a binary one. */
  read(path: string, offset?: number, limit?: number): Promise<ReadResult>;
  readRaw(path: string): Promise<ReadRawResult>;
  write(path: string, content: string): Promise<WriteResult>;
  /** Replaces literal text; without `all` it must occur exactly once. */
  edit(path: string, oldText: string, newText: string, all?: boolean): Promise<EditResult>;
  /** Literal text in text files, below `path`, in files whose path fits `glob`, at most `maxCount` matches. */
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<GrepResult>;
  glob(pattern: string, path?: string): Promise<GlobResult>;
  /** A file, or a directory with all that is in it. */
  delete(path: string): Promise<DeleteResult>;
}
