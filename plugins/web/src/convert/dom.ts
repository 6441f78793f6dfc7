/** The part of a document tree that conversion uses; both parsers' trees have it. */
export interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly parentNode: DomNode | null;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  textContent: string | null;
}

/** An element of such a tree. */
export interface DomElement extends DomNode {
  readonly localName: string;
  readonly innerHTML: string;
  readonly outerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
  append(...nodes: DomNode[]): void;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
}

/** A whole tree. */
export interface DomDocument {
  readonly documentElement: DomElement | null;
  createElement(name: string): DomElement;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
}

/** `Node.ELEMENT_NODE` and `Node.COMMENT_NODE`. */
export const ELEMENT_NODE = 1;
export const COMMENT_NODE = 8;

/** The elements directly below one; the trees' own lists are not both iterable. */
export function childElements(parent: DomNode): readonly DomElement[] {
  const elements: DomElement[] = [];
  for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType === ELEMENT_NODE) elements.push(child as DomElement);
  }
  return elements;
}

/** Gives every node below `root` in document order with its depth, without recursion. */
export function* walkNodes(root: DomNode): Generator<{ readonly node: DomNode; readonly depth: number }> {
  let node: DomNode | null = root.firstChild;
  let depth = 1;
  while (node !== null) {
    yield { node, depth };
    if (node.firstChild !== null) {
      node = node.firstChild;
      depth += 1;
      continue;
    }
    while (node !== null && node !== root && node.nextSibling === null) {
      node = node.parentNode;
      depth -= 1;
    }
    if (node === null || node === root) return;
    node = node.nextSibling;
  }
}
