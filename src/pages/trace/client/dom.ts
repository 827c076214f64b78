type Child = Node | string | null | undefined | readonly Child[];

/** Creates an element. Texts become text nodes, so that markup in them has no effect. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, '');
    else if (typeof value === 'string') made.setAttribute(key, value);
  }
  append(made, children);
  return made;
}

function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined) continue;
    if (typeof child === 'string') parent.appendChild(document.createTextNode(child));
    else if (child instanceof Node) parent.appendChild(child);
    else append(parent, child);
  }
}

/** Returns an element of the page. Throws if it does not exist. */
export function byId<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${id}.`);
  return found;
}
