/** Our own collection in Iconify's format, for icons that no other collection may contain. */
import type { IconifyJSON } from '@iconify/types';

export const greenroom: IconifyJSON = {
  prefix: 'greenroom',
  width: 18,
  height: 18,
  icons: {
    google: {
      body:
        '<path fill="#4285f4" d="M17.6 9.2c0-.6 0-1.2-.2-1.7H9v3.4h4.8a4.1 4.1 0 0 1-1.8 2.7v2.2h2.9c1.7-1.6 2.7-3.9 2.7-6.6Z"/>' +
        '<path fill="#34a853" d="M9 18c2.4 0 4.5-.8 6-2.2l-2.9-2.2a5.4 5.4 0 0 1-8.1-2.9H1v2.3A9 9 0 0 0 9 18Z"/>' +
        '<path fill="#fbbc05" d="M4 10.7a5.4 5.4 0 0 1 0-3.4V5H1a9 9 0 0 0 0 8l3-2.3Z"/>' +
        '<path fill="#ea4335" d="M9 3.6c1.3 0 2.5.5 3.4 1.3L15 2.3A9 9 0 0 0 1 5l3 2.3a5.4 5.4 0 0 1 5-3.7Z"/>',
    },
    door: {
      width: 32,
      height: 32,
      body:
        '<g fill="none" stroke="currentColor" stroke-linecap="round" stroke-width="2.2">' +
        '<path d="M10 25V9.5A2.5 2.5 0 0 1 12.5 7h7A2.5 2.5 0 0 1 22 9.5V25M7 25h18"/></g>' +
        '<circle cx="18.3" cy="16.5" r="1.5" fill="currentColor"/>',
    },
  },
};
