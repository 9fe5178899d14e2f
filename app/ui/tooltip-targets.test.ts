import { describe, expect, it, vi } from 'vitest';
import { createTooltipTargets } from './tooltip-targets.ts';

/** An element that can only receive events. */
function newElement(): HTMLElement {
  return new EventTarget() as HTMLElement;
}

function send(element: HTMLElement, type: string, pointerType = 'mouse'): void {
  element.dispatchEvent(Object.assign(new Event(type), { pointerType }));
}

/** Targets with one watched element. */
function setUp() {
  const targets = createTooltipTargets();
  const element = newElement();
  const listener = vi.fn();
  targets.subscribe(listener);
  const stop = targets.watch(element, () => ({ text: 'Edit' }));
  return { targets, element, listener, stop };
}

describe('createTooltipTargets', () => {
  it('has no target before an event', () => {
    expect(setUp().targets.list()).toEqual([]);
  });

  it.each(['pointermove', 'focusin'])('adds an element once after %s', (type) => {
    const { targets, element, listener } = setUp();
    send(element, type);
    send(element, 'pointermove');
    expect(targets.list()).toMatchObject([{ element, text: 'Edit', event: { type } }]);
    expect(listener).toHaveBeenCalledOnce();
  });

  it('ignores a touch', () => {
    const { targets, element } = setUp();
    send(element, 'pointermove', 'touch');
    expect(targets.list()).toEqual([]);
  });

  it('ignores focus by a press, but not the next one', () => {
    const { targets, element } = setUp();
    send(element, 'pointerdown', 'touch');
    send(element, 'focusin');
    expect(targets.list()).toEqual([]);
    send(element, 'focusin');
    expect(targets.list()).toMatchObject([{ element }]);
  });

  it('replaces the text of a target and keeps its key', () => {
    const { targets, element, listener } = setUp();
    send(element, 'pointermove');
    const [{ key } = { key: 0 }] = targets.list();
    targets.update(element, { text: 'Delete' });
    targets.update(element, { text: 'Delete' });
    targets.update(newElement(), { text: 'Copy' });
    expect(targets.list()).toMatchObject([{ key, element, text: 'Delete' }]);
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('removes an element that is no longer watched', () => {
    const { targets, element, stop } = setUp();
    send(element, 'pointermove');
    stop();
    send(element, 'pointermove');
    expect(targets.list()).toEqual([]);
  });
});
