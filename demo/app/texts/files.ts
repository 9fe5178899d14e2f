/**
 * Texts of the files on the home page that are shown before the tools are loaded. The texts of the tools
 * are in files-tools.ts.
 */
import { plural } from 'greenroom/app';
import { defineTexts } from 'greenroom/app/texts/define-texts';

export const filesTexts = defineTexts({
  en: {
    title: 'Files',
    lead: 'Only you can see your files. Share a file with a link that expires.',
    rootFolder: 'Files',
    breadcrumb: 'Folder path',
    list: 'Files and folders',
    loading: 'Loading files…',
    chooseFiles: 'Choose files',
    uploadFiles: 'Upload files',
    maxSize: (size: string) => `Up to ${size} per file.`,
    acceptedFiles: (size: string) =>
      `Images, audio, video, text, documents and archives, up to ${size} per file.`,
    newFolder: 'New folder',
    createFolder: 'Create folder',
    folder: 'Folder',
    download: (name: string) => `Download ${name}`,
    delete: (name: string) => `Delete ${name}`,
    emptyTitle: 'No files yet',
    emptyFolderTitle: 'This folder is empty',
    emptyText: 'Upload files or create a folder.',
    failedTitle: 'Couldn’t load your files',
    failedText: 'The server didn’t respond. Check your connection and try again.',
    tryAgain: 'Try again',
    truncated: plural('en', {
      one: 'Showing the first item.',
      other: (count) => `Showing the first ${count} items.`,
    }),
    problemWith: (name: string, problem: string) => `${name}: ${problem}`,
    problems: {
      tooLarge: 'This file is too large. Choose a smaller file.',
      wrongType: 'This file type isn’t supported.',
      nameTaken: 'This name is already in use. Choose another name.',
      noName: 'Enter a name.',
      noFile: 'Choose at least one file.',
      tooDeep: 'Folders can be nested up to ten levels deep.',
      notSetUp: 'Files aren’t set up on this site.',
      refused: 'The server rejected this change. Reload the page and try again.',
      gone: 'This file no longer exists. Reload the page.',
      unreachable: 'The server didn’t respond. Check your connection and try again.',
    },
  },
  de: {
    title: 'Dateien',
    lead: 'Ihre Dateien sehen nur Sie. Teilen Sie eine Datei mit einem Link, der abläuft.',
    rootFolder: 'Dateien',
    breadcrumb: 'Ordnerpfad',
    list: 'Dateien und Ordner',
    loading: 'Dateien werden geladen …',
    chooseFiles: 'Dateien auswählen',
    uploadFiles: 'Dateien hochladen',
    maxSize: (size: string) => `Bis zu ${size} pro Datei.`,
    acceptedFiles: (size: string) =>
      `Bilder, Audio, Video, Texte, Dokumente und Archive, bis zu ${size} pro Datei.`,
    newFolder: 'Neuer Ordner',
    createFolder: 'Ordner erstellen',
    folder: 'Ordner',
    download: (name: string) => `${name} herunterladen`,
    delete: (name: string) => `${name} löschen`,
    emptyTitle: 'Noch keine Dateien',
    emptyFolderTitle: 'Dieser Ordner ist leer',
    emptyText: 'Laden Sie Dateien hoch oder erstellen Sie einen Ordner.',
    failedTitle: 'Ihre Dateien konnten nicht geladen werden',
    failedText: 'Der Server hat nicht geantwortet. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    tryAgain: 'Erneut versuchen',
    truncated: plural('de', {
      one: 'Das erste Element wird angezeigt.',
      other: (count) => `Die ersten ${count} Elemente werden angezeigt.`,
    }),
    problemWith: (name: string, problem: string) => `${name}: ${problem}`,
    problems: {
      tooLarge: 'Diese Datei ist zu groß. Wählen Sie eine kleinere Datei.',
      wrongType: 'Dieser Dateityp wird nicht unterstützt.',
      nameTaken: 'Dieser Name wird bereits verwendet. Wählen Sie einen anderen Namen.',
      noName: 'Geben Sie einen Namen ein.',
      noFile: 'Wählen Sie mindestens eine Datei aus.',
      tooDeep: 'Ordner können bis zu zehn Ebenen tief verschachtelt sein.',
      notSetUp: 'Dateien sind auf dieser Website nicht eingerichtet.',
      refused:
        'Der Server hat diese Änderung abgelehnt. Laden Sie die Seite neu und versuchen Sie es erneut.',
      gone: 'Diese Datei ist nicht mehr vorhanden. Laden Sie die Seite neu.',
      unreachable:
        'Der Server hat nicht geantwortet. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    },
  },
});
