import { describe, expect, it } from 'vitest';
import { createCaptchaStore } from './captcha-store.ts';

describe('createCaptchaStore', () => {
  it('starts without a token', () => {
    expect(createCaptchaStore().read()).toEqual({ phase: 'loading', token: '', missed: 0 });
  });

  it.each(['loading', 'ready', 'expired', 'failed'] as const)('clears the token when it is %s', (phase) => {
    const store = createCaptchaStore();
    store.solve('one');
    expect(store.read()).toMatchObject({ phase: 'solved', token: 'one' });
    store.show(phase);
    expect(store.read()).toMatchObject({ phase, token: '' });
  });

  it('counts submissions without a token until there is one', () => {
    const store = createCaptchaStore();
    store.show('ready');
    store.miss();
    store.miss();
    expect(store.read().missed).toBe(2);
    store.solve('one');
    expect(store.read().missed).toBe(0);
  });

  it('restarts the widget when a token is consumed', () => {
    const store = createCaptchaStore();
    let resets = 0;
    store.setReset(() => {
      resets += 1;
    });
    store.solve('one');
    store.consume();
    expect([resets, store.read()]).toEqual([1, { phase: 'ready', token: '', missed: 0 }]);
  });

  it('keeps a token that the widget sets during the restart', () => {
    const store = createCaptchaStore();
    store.setReset(() => store.solve('two'));
    store.solve('one');
    store.consume();
    expect(store.read()).toMatchObject({ phase: 'solved', token: 'two' });
  });

  it('has no effect without a widget', () => {
    const store = createCaptchaStore();
    store.setReset(() => expect.unreachable());
    store.setReset(undefined);
    store.consume();
    expect(store.read().phase).toBe('loading');
  });

  it('notifies its listeners of every change until they unsubscribe', () => {
    const store = createCaptchaStore();
    const phases: string[] = [];
    const stop = store.subscribe(() => phases.push(store.read().phase));
    store.show('ready');
    store.solve('one');
    stop();
    store.show('expired');
    expect(phases).toEqual(['ready', 'solved']);
  });
});
