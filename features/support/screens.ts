const SIZES: Readonly<Record<string, readonly [width: number, height: number]>> = {
  desktop: [1280, 900],
  phone: [390, 844],
};

/** Returns width and height of a kind of screen, in CSS pixels. */
export function sizeOf(device: string): readonly [width: number, height: number] {
  const size = SIZES[device];
  if (size === undefined)
    throw new Error(`"${device}" is no screen that is known: ${Object.keys(SIZES).join(', ')}`);
  return size;
}
