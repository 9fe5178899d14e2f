/** German texts of the lints. Findings contain the English ones, which the command line prints, too. */
import type { LintName } from '@greenroom/advisors/lint-names';
import type { Language } from '../lib/language.ts';

/** Texts of a lint. */
interface LintTexts {
  title: string;
  description: string;
  remediation: string;
}

const GERMAN: Readonly<Record<LintName, LintTexts>> = {
  unindexed_foreign_keys: {
    title: 'Fremdschlüssel ohne Index',
    description:
      'Ohne Index auf den Spalten eines Fremdschlüssels liest jedes Löschen und Ändern einer Zeile, auf die er verweist, die ganze Tabelle, und Joins ebenso.',
    remediation: 'Erstellen Sie einen Index, der mit den Spalten des Fremdschlüssels beginnt.',
  },
  auth_users_exposed: {
    title: 'Konten über die API sichtbar',
    description:
      'Eine Sicht der Daten-API, die auth.users liest, zeigt Clients die Konten, weil die Sicherheit auf Zeilenebene für sie nicht gilt.',
    remediation:
      'Löschen Sie die Sicht, entziehen Sie anon und authenticated die Rechte, oder kopieren Sie die Spalten, die Clients brauchen, in eine Tabelle mit Richtlinien.',
  },
  auth_rls_initplan: {
    title: 'Richtlinie ruft eine Funktion für jede Zeile auf',
    description:
      'PostgreSQL wertet auth.uid(), auth.jwt(), auth.role(), auth.email() und current_setting() in einer Richtlinie für jede Zeile aus, außer in einer Unterabfrage.',
    remediation:
      'Schreiben Sie den Aufruf als Unterabfrage, zum Beispiel (select auth.uid()) statt auth.uid().',
  },
  no_primary_key: {
    title: 'Kein Primärschlüssel',
    description:
      'Zeilen einer Tabelle ohne Primärschlüssel lassen sich nicht schnell finden, und ihre Änderungen und Löschungen lassen sich nicht replizieren.',
    remediation: 'Fügen Sie der Tabelle einen Primärschlüssel hinzu.',
  },
  unused_index: {
    title: 'Unbenutzter Index',
    description: 'Ein Index, den keine Abfrage benutzt, verlangsamt Schreibzugriffe und belegt Platz.',
    remediation:
      'Löschen Sie den Index, wenn seine Abfragen seit dem letzten Zurücksetzen der Statistik gelaufen sind.',
  },
  multiple_permissive_policies: {
    title: 'Mehrere erlaubende Richtlinien',
    description:
      'PostgreSQL wertet alle erlaubenden Richtlinien einer Rolle für eine Aktion aus. Mehrere verlangsamen daher jede Abfrage.',
    remediation:
      'Verbinden Sie die Richtlinien mit dem Operator or zu einer, oder beschränken Sie sie auf verschiedene Rollen.',
  },
  policy_exists_rls_disabled: {
    title: 'Richtlinien ohne Wirkung',
    description:
      'Richtlinien haben keine Wirkung, solange die Sicherheit auf Zeilenebene für ihre Tabelle aus ist.',
    remediation: 'Schalten Sie die Sicherheit auf Zeilenebene ein: alter table … enable row level security.',
  },
  rls_enabled_no_policy: {
    title: 'Keine Richtlinien',
    description:
      'Mit Sicherheit auf Zeilenebene und ohne Richtlinien hat eine Tabelle für Clients keine Zeilen.',
    remediation:
      'Erstellen Sie Richtlinien für die Zeilen, die Clients brauchen. Brauchen sie keine, ist alles in Ordnung.',
  },
  duplicate_index: {
    title: 'Doppelter Index',
    description:
      'Mehrere gleiche Indizes verlangsamen Schreibzugriffe und belegen Platz, und einer von ihnen genügt.',
    remediation: 'Löschen Sie alle Indizes bis auf einen.',
  },
  security_definer_view: {
    title: 'Sicht mit den Rechten des Eigentümers',
    description:
      'Eine Sicht liest ihre Tabellen mit den Rechten und Richtlinien ihres Eigentümers statt mit denen des Clients, außer mit security_invoker.',
    remediation: 'Setzen Sie die Option: alter view … set (security_invoker = on).',
  },
  function_search_path_mutable: {
    title: 'Funktion ohne festen Suchpfad',
    description:
      'Die Namen in einer Funktion ohne Suchpfad werden mit dem Suchpfad des Aufrufers aufgelöst, der damit die Objekte austauschen kann, die sie benutzt.',
    remediation:
      "Setzen Sie den Pfad, und schreiben Sie die Namen in der Funktion mit Schema: alter function … set search_path = ''.",
  },
  rls_disabled_in_public: {
    title: 'Sicherheit auf Zeilenebene ist aus',
    description:
      'Clients der Daten-API haben Zugriff auf alle Zeilen einer Tabelle ohne Sicherheit auf Zeilenebene, soweit ihre Rolle Rechte an ihr hat.',
    remediation:
      'Schalten Sie die Sicherheit auf Zeilenebene ein, und erstellen Sie Richtlinien: alter table … enable row level security.',
  },
  extension_in_public: {
    title: 'Erweiterung im Schema public',
    description: 'Die Funktionen einer Erweiterung im Schema public sind Teil der Daten-API.',
    remediation:
      'Verschieben Sie die Erweiterung in ein anderes Schema: alter extension … set schema extensions.',
  },
  rls_references_user_metadata: {
    title: 'Richtlinie verwendet user_metadata',
    description:
      'Benutzer ändern ihre user_metadata selbst. Eine Richtlinie, die davon abhängt, lässt sie also ihre Rechte wählen.',
    remediation: 'Verwenden Sie app_metadata, die nur die Rolle service_role ändert, oder eine Tabelle.',
  },
  materialized_view_in_api: {
    title: 'Materialisierte Sicht in der API',
    description:
      'Materialisierte Sichten haben keine Sicherheit auf Zeilenebene. Clients der Daten-API können daher alle ihre Zeilen lesen.',
    remediation:
      'Entziehen Sie anon und authenticated die Rechte, oder verschieben Sie die Sicht in ein Schema außerhalb der Daten-API.',
  },
  foreign_table_in_api: {
    title: 'Fremde Tabelle in der API',
    description:
      'Fremde Tabellen haben keine Sicherheit auf Zeilenebene. Clients der Daten-API haben daher Zugriff auf alle ihre Zeilen.',
    remediation:
      'Entziehen Sie anon und authenticated die Rechte, oder verschieben Sie die Tabelle in ein Schema außerhalb der Daten-API.',
  },
  unsupported_reg_types: {
    title: 'Nicht unterstützter Typ einer Spalte',
    description:
      'Eine Datenbank, deren Tabellen Spalten dieser Typen haben, lässt sich nicht auf eine andere Version von PostgreSQL aktualisieren.',
    remediation: 'Ändern Sie den Typ der Spalte auf text, und wandeln Sie sie in Abfragen um.',
  },
  insecure_queue_exposed_in_api: {
    title: 'Ungeschützte Warteschlange in der API',
    description:
      'Ist das Schema pgmq_public Teil der Daten-API, können Clients die Nachrichten einer Warteschlange ohne Sicherheit auf Zeilenebene lesen und schreiben.',
    remediation:
      'Schalten Sie die Sicherheit auf Zeilenebene für die Tabelle der Warteschlange ein, und erstellen Sie Richtlinien.',
  },
  table_bloat: {
    title: 'Aufgeblähte Tabelle',
    description:
      'Gelöschte und frühere Fassungen von Zeilen belegen den größten Teil der Tabelle, und Abfragen müssen sie lesen.',
    remediation:
      'Schreiben Sie die Tabelle mit vacuum full neu, das sie währenddessen sperrt, und lassen Sie Autovacuum öfter laufen.',
  },
  fkey_to_auth_unique: {
    title: 'Fremdschlüssel auf eine eindeutige Spalte von auth',
    description:
      'Aktualisierungen können die eindeutigen Bedingungen des Schemas auth ändern, und schlagen fehl, wenn ein Fremdschlüssel auf eine verweist.',
    remediation:
      'Verweisen Sie stattdessen auf den Primärschlüssel der Tabelle, zum Beispiel auth.users (id).',
  },
  extension_versions_outdated: {
    title: 'Veraltete Erweiterung',
    description: 'Eine spätere Version einer Erweiterung kann Fehler beheben, auch Sicherheitslücken.',
    remediation: 'Aktualisieren Sie die Erweiterung: alter extension … update.',
  },
  sensitive_columns_exposed: {
    title: 'Sensible Spalten sichtbar',
    description:
      'Clients der Daten-API können Spalten lesen, deren Namen auf Geheimnisse oder persönliche Daten schließen lassen, weil die Sicherheit auf Zeilenebene aus ist.',
    remediation:
      'Schalten Sie die Sicherheit auf Zeilenebene ein, und erstellen Sie Richtlinien, oder verschieben Sie die Spalten in ein Schema außerhalb der Daten-API.',
  },
  rls_policy_always_true: {
    title: 'Bedingung einer Richtlinie ist immer wahr',
    description:
      'Eine Richtlinie, deren Bedingung immer wahr ist, erlaubt Clients, alle Zeilen zu schreiben, wie ohne Sicherheit auf Zeilenebene.',
    remediation:
      'Schreiben Sie eine Bedingung, zum Beispiel owner = (select auth.uid()), oder beschränken Sie die Richtlinie auf andere Rollen.',
  },
  public_bucket_allows_listing: {
    title: 'Inhalt eines öffentlichen Buckets lässt sich auflisten',
    description:
      'Die Objekte eines öffentlichen Buckets lassen sich ohne Richtlinie herunterladen. Eine Richtlinie für SELECT erlaubt Clients außerdem, alle aufzulisten.',
    remediation:
      'Löschen Sie die Richtlinie, oder fügen Sie eine Bedingung hinzu, wenn Clients die Objekte nicht auflisten müssen.',
  },
  pg_graphql_anon_table_exposed: graphqlTable('anon'),
  pg_graphql_authenticated_table_exposed: graphqlTable('authenticated'),
  anon_security_definer_function_executable: definerFunction('anon'),
  authenticated_security_definer_function_executable: definerFunction('authenticated'),
  invalid_index: {
    title: 'Ungültiger Index',
    description:
      'Ein gescheitertes create index concurrently hinterlässt einen ungültigen Index, der Schreibzugriffe verlangsamt und keiner Abfrage dient.',
    remediation: 'Löschen Sie den Index, oder bauen Sie ihn neu auf: reindex index concurrently ….',
  },
};

function graphqlTable(role: string): LintTexts {
  return {
    title: `Tabelle im GraphQL-Schema von ${role}`,
    description: `Mit pg_graphql sind die Namen und Spalten aller Tabellen und Sichten, die ${role} lesen darf, Teil des GraphQL-Schemas, das diese Rolle abfragen kann.`,
    remediation: `Entziehen Sie ${role} das Recht select, oder löschen Sie die Erweiterung pg_graphql, wenn kein Client GraphQL benutzt.`,
  };
}

function definerFunction(role: string): LintTexts {
  return {
    title: `Funktion mit den Rechten des Eigentümers, aufrufbar von ${role}`,
    description: `Eine Funktion mit security definer läuft mit den Rechten ihres Eigentümers, an allen Richtlinien vorbei, und ${role} kann sie über die Daten-API aufrufen.`,
    remediation: `Entziehen Sie public und ${role} das Recht execute, verwenden Sie security invoker, oder verschieben Sie die Funktion in ein Schema außerhalb der Daten-API.`,
  };
}

/** Returns the texts of a finding in a language; its own, in English, if the lint is unknown. */
export function lintTexts(
  finding: LintTexts & { name: string },
  language: Language,
): LintTexts & { language: Language } {
  const { name, title, description, remediation } = finding;
  if (language === 'de' && isLintName(name)) return { ...GERMAN[name], language };
  return { title, description, remediation, language: 'en' };
}

function isLintName(name: string): name is LintName {
  return Object.hasOwn(GERMAN, name);
}
