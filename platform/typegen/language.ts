/** The languages of generated types. */

/** The default comes first. */
export const LANGUAGES = ['typescript', 'go', 'python', 'swift'] as const;

/** A language of generated types. */
export type Language = (typeof LANGUAGES)[number];

/** The default comes first. */
export const SWIFT_ACCESS_CONTROLS = ['internal', 'public'] as const;

/** Access level of the declarations in Swift. */
export type SwiftAccessControl = (typeof SWIFT_ACCESS_CONTROLS)[number];
