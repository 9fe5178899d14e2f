/** Work that must not be broken off: the browser asks whoever leaves the page meanwhile. */

const ask = (event: BeforeUnloadEvent) => event.preventDefault();
let count = 0;

/** While `work` goes on. */
export async function askBeforeLeaving<T>(work: Promise<T>): Promise<T> {
  if (count === 0) window.addEventListener('beforeunload', ask);
  count += 1;
  try {
    return await work;
  } finally {
    count -= 1;
    if (count === 0) window.removeEventListener('beforeunload', ask);
  }
}
