/** Why a text is not proved, as its message. */
export class Unproved extends Error {}
