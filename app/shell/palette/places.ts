/** The pages that the palette and the keyboard lead to. */

/** Their paths below the app's base. `login` is that of the sign-in page, which the site's settings name. */
export function placePaths(login: string) {
  return {
    home: '/',
    users: '/admin',
    mailbox: '/admin/mailbox',
    components: '/admin/ui',
    signIn: login,
    // Written out, since the sign-in page would else share its code with this.
    signUp: `${login}?mode=sign-up`,
  } as const;
}

export type PlaceId = keyof ReturnType<typeof placePaths>;
