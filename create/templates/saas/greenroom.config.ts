import { defineConfig } from 'greenroom';

export default defineConfig({
  name: 'Workspace',
  colours: { primary: 'indigo' },
  languages: ['en'],
  navigation: [
    { path: '/pricing', label: 'Pricing', icon: 'tag', for: 'signedOut' },
    { path: '/login', label: 'Sign in', icon: 'log-in', for: 'signedOut' },
    // Takes the place of the built-in link to `/`, which leads signed-in users to their teams.
    { path: '/', label: 'Home', icon: 'home', for: 'signedOut' },
    { path: '/teams', label: 'Teams', icon: 'users', keys: 'g t' },
  ],
});
