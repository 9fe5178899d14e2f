/** The reasons why the admin area cannot change schemas, policies and settings. */
import { defineTexts } from './define-texts.ts';

export const changeRefusalTexts = defineTexts({
  en: {
    setting: 'The setting GREENROOM_ADMIN_SCHEMA_CHANGES is “off”.',
    public_url:
      'The public URL of this instance is not on this machine. To allow changes, set GREENROOM_ADMIN_SCHEMA_CHANGES to “on”.',
    read_only_folder: 'The folder of the project is not writable.',
    'no-database': 'This site uses a backend that is hosted elsewhere.',
  },
  de: {
    setting: 'Die Einstellung GREENROOM_ADMIN_SCHEMA_CHANGES ist „off“.',
    public_url:
      'Die öffentliche URL dieser Instanz liegt nicht auf diesem Rechner. Um Änderungen zu erlauben, setzen Sie GREENROOM_ADMIN_SCHEMA_CHANGES auf „on“.',
    read_only_folder: 'Der Ordner des Projekts ist nicht beschreibbar.',
    'no-database': 'Diese Website verwendet ein Backend an einem anderen Ort.',
  },
});
