/** Image of packages: `data` contains compiled modules and data files, `index` their positions. */
export interface PackageImage {
  readonly index: string;
  readonly data: string;
  /** SHA-256 of both files in hexadecimal, computed when they were built. Loaded files must match. */
  readonly sha256?: { readonly index: string; readonly data: string };
}

/** Files for `bootPython`. All paths are absolute, and the child can only read them. */
export interface BootFiles {
  /** Folder of the installed `pyodide` package. */
  readonly pyodideFolder: string;
  /** ZIP of the standard modules that Python imports before it can read images. */
  readonly stdlib: string;
  readonly stdlibSha256?: string;
  /**
   * Images of the standard library, packages and Sandtable's sources. An earlier image wins if names collide.
   */
  readonly packages: readonly PackageImage[];
}
