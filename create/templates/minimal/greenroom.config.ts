import { defineConfig } from 'greenroom';

export default defineConfig({
  name: 'Todos',
  colours: { primary: 'blue' },
  languages: ['en'],
  navigation: [{ path: '/todos', label: 'Todos', icon: 'list-todo', keys: 'g t' }],
});
