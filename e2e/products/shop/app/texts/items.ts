import { defineTexts } from 'greenroom/app';

export const itemTexts = defineTexts({
  de: { title: 'Artikel', description: 'Ihre Artikel.', name: 'Name', add: 'Hinzufügen' },
});
