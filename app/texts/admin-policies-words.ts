/** Sentences about the access of roles to tables. `{role}`, `{rows}` and `{check}` are replaced by SQL. */
import { defineTexts } from './define-texts.ts';

export const policyWordsTexts = defineTexts({
  en: {
    everything: {
      'rls-off':
        '{role} may select, insert, update and delete all rows, because row-level security is off and grants allow everything.',
      bypasses:
        '{role} may select, insert, update and delete all rows, because it bypasses row-level security.',
      owner: '{role} may select, insert, update and delete all rows, because it owns the table.',
      'no-policies-possible':
        '{role} may select, insert, update and delete all rows: policies do not apply to this kind of table.',
    },
    nothing: {
      'no-usage': '{role}: no access, because there is no grant on the schema.',
      'no-grant': '{role}: no access, because there is no grant.',
      'no-policy': '{role}: no access, because there is no policy.',
      'read-only': '{role}: no access.',
    },
    all: {
      select: '{role} may select all rows',
      insert: '{role} may insert rows',
      update: '{role} may update all rows',
      delete: '{role} may delete all rows',
    },
    because: {
      'rls-off': 'because row-level security is off',
      bypasses: 'because it bypasses row-level security',
      owner: 'because it owns the table',
      'no-policies-possible': 'because policies do not apply to this kind of table',
    },
    byPolicy: {
      select: '{role} may select rows where {rows}',
      insert: '{role} may insert rows where {rows}',
      update: '{role} may update rows where {rows}',
      delete: '{role} may delete rows where {rows}',
    },
    byOpenPolicy: {
      select: '{role} may select all rows, by a policy without a condition',
      insert: '{role} may insert any row, by a policy without a condition',
      update: '{role} may update all rows, by a policy without a condition',
      delete: '{role} may delete all rows, by a policy without a condition',
    },
    updateWithCheck: '{role} may update rows where {rows}, if then {check}',
    invoker: {
      select: '{role} may select the rows that the tables of the view allow',
      insert: '{role} may insert rows that the table of the view allows',
      update: '{role} may update rows that the table of the view allows',
      delete: '{role} may delete rows that the table of the view allows',
    },
    refused: {
      select: '{role} may not select rows',
      insert: '{role} may not insert rows',
      update: '{role} may not update rows',
      delete: '{role} may not delete rows',
    },
    refusedBecause: {
      'no-usage': 'because there is no grant on the schema',
      'no-grant': 'because there is no grant',
      'no-policy': 'because there is no policy',
      'read-only': 'because a materialized view is read-only',
    },
    someColumns: '(some columns only)',
  },
  de: {
    everything: {
      'rls-off':
        '{role} darf alle Zeilen lesen, einfügen, ändern und löschen, weil die Sicherheit auf Zeilenebene aus ist und die Rechte alles erlauben.',
      bypasses:
        '{role} darf alle Zeilen lesen, einfügen, ändern und löschen, weil die Sicherheit auf Zeilenebene für diese Rolle nicht gilt.',
      owner:
        '{role} darf alle Zeilen lesen, einfügen, ändern und löschen, weil die Tabelle dieser Rolle gehört.',
      'no-policies-possible':
        '{role} darf alle Zeilen lesen, einfügen, ändern und löschen: Für diese Art von Tabelle gelten keine Richtlinien.',
    },
    nothing: {
      'no-usage': '{role}: kein Zugriff, weil ein Recht auf das Schema fehlt.',
      'no-grant': '{role}: kein Zugriff, weil ein Recht fehlt.',
      'no-policy': '{role}: kein Zugriff, weil eine Richtlinie fehlt.',
      'read-only': '{role}: kein Zugriff.',
    },
    all: {
      select: '{role} darf alle Zeilen lesen',
      insert: '{role} darf Zeilen einfügen',
      update: '{role} darf alle Zeilen ändern',
      delete: '{role} darf alle Zeilen löschen',
    },
    because: {
      'rls-off': 'weil die Sicherheit auf Zeilenebene aus ist',
      bypasses: 'weil die Sicherheit auf Zeilenebene für diese Rolle nicht gilt',
      owner: 'weil die Tabelle dieser Rolle gehört',
      'no-policies-possible': 'weil für diese Art von Tabelle keine Richtlinien gelten',
    },
    byPolicy: {
      select: '{role} darf Zeilen lesen, für die gilt: {rows}',
      insert: '{role} darf Zeilen einfügen, für die gilt: {rows}',
      update: '{role} darf Zeilen ändern, für die gilt: {rows}',
      delete: '{role} darf Zeilen löschen, für die gilt: {rows}',
    },
    byOpenPolicy: {
      select: '{role} darf alle Zeilen lesen, durch eine Richtlinie ohne Bedingung',
      insert: '{role} darf beliebige Zeilen einfügen, durch eine Richtlinie ohne Bedingung',
      update: '{role} darf alle Zeilen ändern, durch eine Richtlinie ohne Bedingung',
      delete: '{role} darf alle Zeilen löschen, durch eine Richtlinie ohne Bedingung',
    },
    updateWithCheck: '{role} darf Zeilen ändern, für die gilt: {rows}, wenn danach gilt: {check}',
    invoker: {
      select: '{role} darf die Zeilen lesen, die die Tabellen der Sicht erlauben',
      insert: '{role} darf Zeilen einfügen, die die Tabelle der Sicht erlaubt',
      update: '{role} darf Zeilen ändern, die die Tabelle der Sicht erlaubt',
      delete: '{role} darf Zeilen löschen, die die Tabelle der Sicht erlaubt',
    },
    refused: {
      select: '{role} darf keine Zeilen lesen',
      insert: '{role} darf keine Zeilen einfügen',
      update: '{role} darf keine Zeilen ändern',
      delete: '{role} darf keine Zeilen löschen',
    },
    refusedBecause: {
      'no-usage': 'weil ein Recht auf das Schema fehlt',
      'no-grant': 'weil ein Recht fehlt',
      'no-policy': 'weil eine Richtlinie fehlt',
      'read-only': 'weil materialisierte Sichten nur lesbar sind',
    },
    someColumns: '(nur einige Spalten)',
  },
});
