/** The few signs that the app uses, drawn on a 20 by 20 grid. They decorate; the words beside them say what is meant. */

const PATHS = {
  alert:
    'M10 6.5v4m0 3h.01M8.6 3.3 1.9 14.9A1.6 1.6 0 0 0 3.3 17.3h13.4a1.6 1.6 0 0 0 1.4-2.4L11.4 3.3a1.6 1.6 0 0 0-2.8 0Z',
  check: 'm4.5 10.5 3.5 3.5 7.5-8',
  chevron: 'm6 8 4 4 4-4',
  close: 'm5.5 5.5 9 9m0-9-9 9',
  copy: 'M7.5 7.5h8v8h-8zM12.5 7.5v-3h-8v8h3',
  eye: 'M1.8 10S4.7 4.5 10 4.5 18.2 10 18.2 10 15.3 15.5 10 15.5 1.8 10 1.8 10ZM10 12.4a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8Z',
  eyeOff:
    'M4.6 5.6C2.8 7.2 1.8 10 1.8 10S4.7 15.5 10 15.5c1.6 0 3-.5 4.1-1.2M8 4.7c.6-.1 1.3-.2 2-.2 5.3 0 8.2 5.5 8.2 5.5s-.6 1.2-1.8 2.5M3 3l14 14',
  mail: 'M2.5 5h15v10.5h-15zM2.5 5.5 10 11l7.5-5.5',
  monitor: 'M2.5 3.5h15v10h-15zM7 17h6m-3-3.5V17',
  moon: 'M16.8 11.6A7 7 0 0 1 8.4 3.2a7 7 0 1 0 8.4 8.4Z',
  shield: 'M10 2.2 3.5 4.7v4.6c0 4 2.7 7 6.5 8.5 3.8-1.5 6.5-4.5 6.5-8.5V4.7L10 2.2Z',
  sun: 'M10 13.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4ZM10 1.8v1.7m0 13v1.7M1.8 10h1.7m13 0h1.7M4.2 4.2l1.2 1.2m9.2 9.2 1.2 1.2m0-11.6-1.2 1.2m-9.2 9.2-1.2 1.2',
  users:
    'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM1.8 16.5c.3-2.9 2.6-4.8 5.7-4.8s5.4 1.9 5.7 4.8M13 3.7a3 3 0 0 1 0 5.6m2 2.8c1.8.7 3 2.2 3.2 4.4',
} as const;

export type IconName = keyof typeof PATHS;

/** A sign as large as the text around it, unless `className` says otherwise. */
export function Icon({ name, className = 'size-[1.15em]' }: { name: IconName; className?: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" className={`shrink-0 ${className}`}>
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
