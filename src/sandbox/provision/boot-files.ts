/** One image: compiled modules and data files end to end in `data`, and where each begins in `index`. */
export interface PackageImage {
  readonly index: string;
  readonly data: string;
  /** SHA-256 of both in hexadecimal, of the day they were built: what is loaded must be that. */
  readonly sha256?: { readonly index: string; readonly data: string };
}

/** What `bootPython` needs: absolute paths, all of them read-only to the child. */
export interface BootFiles {
  /** Folder of the installed `pyodide` package. */
  readonly pyodideFolder: string;
  /** ZIP of the few standard modules Python imports before it can read images. */
  readonly stdlib: string;
  readonly stdlibSha256?: string;
  /** Standard library, packages, our own sources; an earlier image wins where names collide. */
  readonly packages: readonly PackageImage[];
}
