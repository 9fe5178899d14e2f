/** Makes the browser ask for confirmation if the user leaves the page while work is running. */

const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
let count = 0;

/** Asks while `work` is pending. */
export async function confirmBeforeUnload<T>(work: Promise<T>): Promise<T> {
  if (count === 0) window.addEventListener('beforeunload', preventUnload);
  count += 1;
  try {
    return await work;
  } finally {
    count -= 1;
    if (count === 0) window.removeEventListener('beforeunload', preventUnload);
  }
}
