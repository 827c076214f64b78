/** A JSON value; what tools take and give. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
