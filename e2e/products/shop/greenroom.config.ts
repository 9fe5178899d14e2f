import { defineConfig } from 'greenroom';

export default defineConfig({
  name: 'Shop',
  languages: ['de'],
  navigation: [{ path: '/items', label: 'Artikel', icon: 'tag', keys: 'g i' }],
});
