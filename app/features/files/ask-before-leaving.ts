/** Makes the browser ask for confirmation if the user leaves the page while work is running. */

const ask = (event: BeforeUnloadEvent) => event.preventDefault();
let count = 0;

/** Asks while `work` is pending. */
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
