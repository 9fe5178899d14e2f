/** An administrator with a keyboard only: there is no way to click, and no script sets the focus. */
import type { Download, Locator, Page } from '@playwright/test';
import { paletteButton } from '../../support/axe.ts';
import { expect } from '../patient-expect.ts';

/** More elements than any page of the admin area has in its tab order. */
const MAX_TABS = 400;

/** Keys on a page. Locators name elements, so that the focus and the result can be compared with them. */
export class KeyboardUser {
  readonly #page: Page;
  readonly #pointers: string[] = [];

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Takes over a new page. */
  static async at(page: Page): Promise<KeyboardUser> {
    const user = new KeyboardUser(page);
    await page.exposeFunction('reportPointer', (type: string) => user.#pointers.push(type));
    await page.addInitScript(reportPointers);
    return user;
  }

  /** Loads a page, and waits until its shortcuts work. */
  async load(url: string): Promise<void> {
    await this.#page.goto(url);
    await expect(paletteButton(this.#page)).toBeVisible();
  }

  /** Presses keys one after the other. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /** Presses Tab until the element has the focus. */
  async tabTo(target: Locator): Promise<void> {
    await expect(target).toBeVisible();
    for (let count = 0; count < MAX_TABS; count++) {
      if (await target.evaluateAll(includeFocus)) return;
      await this.#page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${target}`);
  }

  /** Moves to a link, a button or a summary, and presses Enter. */
  async activate(target: Locator): Promise<void> {
    await this.tabTo(target);
    await this.press('Enter');
  }

  /** Moves to a field, and replaces its text. */
  async fill(target: Locator, text: string): Promise<void> {
    await this.tabTo(target);
    await this.press('Control+A');
    await this.type(text);
  }

  /** Moves to a select, and types the beginning of an option. */
  async choose(target: Locator, option: string): Promise<void> {
    await this.tabTo(target);
    await this.type(option);
  }

  /** Returns the file that a link downloads. */
  async download(target: Locator): Promise<Download> {
    await this.tabTo(target);
    const download = this.#page.waitForEvent('download');
    await this.press('Enter');
    return download;
  }

  /** Expects that no pointer was used. */
  leave(): void {
    expect(this.#pointers).toEqual([]);
  }
}

/** Runs in the page, before its scripts. */
function reportPointers(): void {
  for (const type of ['pointerdown', 'mousedown', 'touchstart'])
    addEventListener(type, () => window.reportPointer(type), { capture: true });
}

/** Runs in the page. The editor of SQL is in a shadow root, which has its own focus. */
function includeFocus(elements: readonly Element[]): boolean {
  return elements.some((element) => (element.getRootNode() as Document).activeElement === element);
}
