export declare function behave(kind: string): (message: unknown) => string | null | undefined;
