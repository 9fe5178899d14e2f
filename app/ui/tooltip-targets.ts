/**
 * The elements of a page whose tooltips have been requested: the user has pointed at them or focused them. Until
 * then, a tooltip costs two event listeners.
 */
import type { ReactNode } from 'react';

/** Content of a tooltip. */
export interface TooltipContent {
  text: ReactNode;
  /** Container of the tooltip, if it is not the end of the document. */
  container?: HTMLElement;
}

/** An element whose tooltip has been requested. */
export interface TooltipTarget extends TooltipContent {
  key: number;
  element: HTMLElement;
  /** The event that requested the tooltip, and its time in milliseconds (`performance.now`). */
  event: Event;
  requestedAt: number;
}

/** The targets of a page. */
export interface TooltipTargets {
  /** Calls `listener` after every change; returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  list(): readonly TooltipTarget[];
  /** Waits for the user to request the tooltip of an element. Returns a function that removes the element. */
  watch(element: HTMLElement, readContent: () => TooltipContent): () => void;
  /** Replaces the content of a requested tooltip; ignored for other elements. */
  update(element: HTMLElement, content: TooltipContent): void;
}

/** Creates an empty list. */
export function createTooltipTargets(): TooltipTargets {
  let targets: readonly TooltipTarget[] = [];
  let lastKey = 0;
  const listeners = new Set<() => void>();
  const set = (changed: readonly TooltipTarget[]) => {
    targets = changed;
    for (const listener of listeners) listener();
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    list: () => targets,
    watch(element, readContent) {
      const stop = onRequest(element, (event) => {
        lastKey += 1;
        const request = { key: lastKey, element, event, requestedAt: performance.now() };
        set([...targets, { ...readContent(), ...request }]);
      });
      return () => {
        stop();
        if (targets.some((target) => target.element === element))
          set(targets.filter((target) => target.element !== element));
      };
    },
    update(element, content) {
      const target = targets.find((one) => one.element === element);
      if (!target || target.text === content.text) return;
      set(targets.map((one) => (one === target ? { ...one, ...content } : one)));
    },
  };
}

/**
 * Calls `callback` once, when the user points at the element or focuses it. Focus by a press requests no tooltip, and
 * neither does a touch.
 */
function onRequest(element: HTMLElement, callback: (event: Event) => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let isPressed = false;
  const listen = (type: string, isRequest: (event: Event) => boolean) => {
    const listener = (event: Event) => {
      if (!isRequest(event)) return;
      controller.abort();
      callback(event);
    };
    element.addEventListener(type, listener, { signal });
  };
  listen('pointermove', (event) => (event as PointerEvent).pointerType !== 'touch');
  listen('pointerdown', () => {
    isPressed = true;
    return false;
  });
  listen('focusin', () => {
    const isByPress = isPressed;
    isPressed = false;
    return !isByPress;
  });
  return () => controller.abort();
}
