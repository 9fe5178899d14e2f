/** Makes the browser ask for confirmation if the user leaves the page while work is running. */

const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
let pendingCount = 0;

/** Makes the browser ask while `work` is pending. */
export async function confirmBeforeUnload<T>(work: Promise<T>): Promise<T> {
  if (pendingCount === 0) window.addEventListener('beforeunload', preventUnload);
  pendingCount += 1;
  try {
    return await work;
  } finally {
    pendingCount -= 1;
    if (pendingCount === 0) window.removeEventListener('beforeunload', preventUnload);
  }
}
