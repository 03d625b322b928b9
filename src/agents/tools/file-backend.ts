// What the file tools need of a backend; whatever an agent may not touch is refused there, not here.

interface FileInfo {
  path: string;
  is_dir?: boolean;
  size?: number;
  modified_at?: string;
}

interface FileData {
  content: string | Uint8Array;
  mimeType: string;
  created_at: string;
  modified_at: string;
}

/** Paths are absolute, "/" is the backend's root. Every result may carry an `error` instead. */
export interface FileBackend {
  ls(path: string): Promise<{ error?: string; files?: FileInfo[] }>;
  /** Lines from `offset`, which counts from 0. */
  read(path: string, offset?: number, limit?: number): Promise<ReadPage>;
  readRaw(path: string): Promise<{ error?: string; data?: FileData }>;
  write(path: string, content: string): Promise<{ error?: string; path?: string }>;
  edit(path: string, oldText: string, newText: string, all?: boolean): Promise<EditDone>;
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<{ error?: string; matches?: GrepMatch[]; truncated?: boolean }>;
  glob(pattern: string, path?: string): Promise<{ error?: string; files?: FileInfo[]; truncated?: boolean }>;
}

export interface ReadPage {
  error?: string;
  content?: string | Uint8Array;
  mimeType?: string;
  totalLines?: number;
  startLine?: number;
  endLine?: number;
  nextOffset?: number;
}

interface EditDone {
  error?: string;
  path?: string;
  occurrences?: number;
}

interface GrepMatch {
  path: string;
  line: number;
  text: string;
}
