/**
 * The table of OAuth providers. Settings, sign-in, `GET /settings`, pages and the reference page follow from its rows;
 * no other code names a provider.
 */
import type { ConfigurableProvider } from '../../settings/providers.ts';
import type { ProviderDescription } from './description.ts';
import { apple } from './descriptions/apple.ts';
import { azure } from './descriptions/azure.ts';
import { bitbucket } from './descriptions/bitbucket.ts';
import { discord } from './descriptions/discord.ts';
import { facebook } from './descriptions/facebook.ts';
import { figma } from './descriptions/figma.ts';
import { fly } from './descriptions/fly.ts';
import { github } from './descriptions/github.ts';
import { gitlab } from './descriptions/gitlab.ts';
import { google } from './descriptions/google.ts';
import { kakao } from './descriptions/kakao.ts';
import { keycloak } from './descriptions/keycloak.ts';
import { linkedin } from './descriptions/linkedin.ts';
import { linkedinOidc } from './descriptions/linkedin-oidc.ts';
import { notion } from './descriptions/notion.ts';
import { slack } from './descriptions/slack.ts';
import { slackOidc } from './descriptions/slack-oidc.ts';
import { snapchat } from './descriptions/snapchat.ts';
import { spotify } from './descriptions/spotify.ts';
import { twitch } from './descriptions/twitch.ts';
import { vercelMarketplace } from './descriptions/vercel-marketplace.ts';
import { workos } from './descriptions/workos.ts';
import { x } from './descriptions/x.ts';
import { zoom } from './descriptions/zoom.ts';

/** A row of the table. */
interface OAuthProvider extends ConfigurableProvider {
  description: ProviderDescription;
  /** Icon in a collection of the pages; they show a neutral one if it is not set. */
  icon?: `${'greenroom' | 'lucide'}:${string}`;
  /** Name of the provider that replaces this deprecated one. Pages that offer the successor omit this one. */
  successor?: string;
  /** Setting that offers the provider on the sign-in page of a hosted backend. */
  pageSetting?: string;
  /** Whether `GET /settings` lists the provider; true unless set. GoTrue's response omits the newest providers. */
  isListed?: boolean;
}

/** All providers that can be configured, in GoTrue's order. */
export const PROVIDERS: readonly OAuthProvider[] = [
  { name: 'apple', title: 'Apple', description: apple, idTokenIssuer: 'https://appleid.apple.com' },
  { name: 'azure', title: 'Microsoft', description: azure },
  { name: 'bitbucket', title: 'Bitbucket', description: bitbucket },
  { name: 'discord', title: 'Discord', description: discord },
  { name: 'facebook', title: 'Facebook', description: facebook, icon: 'lucide:facebook' },
  { name: 'snapchat', title: 'Snapchat', description: snapchat },
  { name: 'figma', title: 'Figma', description: figma, icon: 'lucide:figma' },
  { name: 'fly', title: 'Fly', description: fly },
  { name: 'github', title: 'GitHub', description: github, icon: 'lucide:github' },
  { name: 'gitlab', title: 'GitLab', description: gitlab, icon: 'lucide:gitlab' },
  {
    name: 'google',
    title: 'Google',
    description: google,
    icon: 'greenroom:google',
    idTokenIssuer: 'https://accounts.google.com',
    pageSetting: 'GOOGLE_CLIENT_ID',
  },
  { name: 'keycloak', title: 'Keycloak', description: keycloak, needsUrl: true },
  { name: 'kakao', title: 'Kakao', description: kakao },
  {
    name: 'linkedin',
    title: 'LinkedIn',
    description: linkedin,
    icon: 'lucide:linkedin',
    successor: 'linkedin_oidc',
  },
  { name: 'linkedin_oidc', title: 'LinkedIn', description: linkedinOidc, icon: 'lucide:linkedin' },
  { name: 'notion', title: 'Notion', description: notion },
  { name: 'spotify', title: 'Spotify', description: spotify },
  { name: 'slack', title: 'Slack', description: slack, icon: 'lucide:slack', successor: 'slack_oidc' },
  { name: 'slack_oidc', title: 'Slack', description: slackOidc, icon: 'lucide:slack' },
  { name: 'workos', title: 'WorkOS', description: workos },
  { name: 'twitch', title: 'Twitch', description: twitch, icon: 'lucide:twitch' },
  { name: 'twitter', title: 'X', description: x, successor: 'x' },
  { name: 'x', title: 'X', description: x, isListed: false },
  {
    name: 'vercel_marketplace',
    title: 'Vercel Marketplace',
    description: vercelMarketplace,
    needsSecret: false,
    isListed: false,
  },
  { name: 'zoom', title: 'Zoom', description: zoom },
];
