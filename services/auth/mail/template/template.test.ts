/** Go templates: their results and errors. */
import { describe, expect, it } from 'vitest';
import { compileHtml, compileText, TemplateError, TrustedUrl } from './index.ts';

const DATA = {
  Email: 'ann@example.org',
  Token: '123456',
  Data: {
    name: 'Ann',
    lang: 'de',
    roles: ['a', 'b'],
    none: [],
    plan: { name: 'pro', seats: 3 },
    age: 30,
    vip: true,
    markup: '<b>"\'&`',
    '<key>': 'odd',
  },
  SiteURL: new TrustedUrl('https://room.example'),
  RedirectTo: new TrustedUrl('myapp://callback?x=1&y=2'),
};

describe('a text template', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['{{ .Token }} is your code', '123456 is your code'],
    ['{{.Data.name}}', 'Ann'],
    ['{{ .Data.plan.name }} {{ .Data.plan.seats }}', 'pro 3'],
    ['[{{ .Missing }}{{ .Data.missing.deeper }}]', '[]'],
    ['[{{ .Data.constructor }}{{ .Data.__proto__ }}{{ .Data.name.length }}]', '[]'],
    ['a  {{- " b " -}}  c', 'a b c'],
    ['a {{- /* trimmed */ -}} c', 'ac'],
    ['a{{/* a }} comment */}}b', 'ab'],
    ['a{{/* one */}}b{{/* two */}}c', 'abc'],
    ['{{ if .Data.vip }}yes{{ end }}', 'yes'],
    ['{{ if .Data.none }}yes{{ else }}no{{ end }}', 'no'],
    ['{{ if .Nothing }}1{{ else if eq .Data.lang "de" }}2{{ else }}3{{ end }}', '2'],
    ['{{ if .Nothing }}1{{ else if eq .Data.lang "fr" }}2{{ else }}3{{ end }}', '3'],
    ['{{ if and .Data.name (not .Data.none) }}both{{ end }}', 'both'],
    ['{{ or .Data.nickname .Data.name "you" }}', 'Ann'],
    ['{{ and .Data.nickname "x" }}', ''],
    ['{{ eq .Data.lang "fr" "de" }} {{ ne .Data.lang "de" }}', 'true false'],
    ['{{ lt 1 2 }} {{ ge 2 2 }} {{ gt .Data.age 40 }} {{ le "a" "b" }}', 'true true false true'],
    ['{{ eq .Data.missing "" }} {{ eq 1 1 }} {{ eq true .Data.vip }}', 'true true true'],
    ['{{ range .Data.roles }}<{{ . }}>{{ end }}', '<a><b>'],
    ['{{ range .Data.none }}x{{ else }}none{{ end }}', 'none'],
    ['{{ range .Data.plan }}{{ . }},{{ end }}', 'pro,3,'],
    ['{{ range .Data.roles }}{{ $.Token }}{{ end }}', '123456123456'],
    ['{{ with .Data.plan }}{{ .name }}{{ else }}free{{ end }}', 'pro'],
    ['{{ with .Data.nothing }}{{ .name }}{{ else }}free{{ end }}', 'free'],
    ['{{ with .Data.nothing }}1{{ else with .Data.plan }}{{ .seats }}{{ end }}', '3'],
    ['{{ .Data.name | printf "%s and %s" "Bob" }}', 'Bob and Ann'],
    ['{{ printf "%d%% %q %v" .Data.age .Data.name true }}', '30% "Ann" true'],
    ['{{ print 1 2 "a" "b" }}', '1 2ab'],
    ['{{ println "a" }}', 'a\n'],
    ['{{ .Email | urlquery }}', 'ann%40example.org'],
    ['{{ urlquery "a b" "c" }}', 'a+bc'],
    ['{{ html .Data.markup }}', '<b>"\'&`'],
    ['{{ index .Data "<key>" }} {{ index .Data.roles 1 }} {{ index .Data "plan" "name" }}', 'odd b pro'],
    ['{{ len .Data.roles }} {{ (index .Data "plan").seats }}', '2 3'],
    ['{{ "quoted \\" \\u00e9 \\n" }}{{ `raw \\n }}` }}', 'quoted " é \nraw \\n }}'],
    ['{{ .Data.roles }} {{ .Data.plan }}', '[a b] map[name:pro seats:3]'],
    ['{{ .Data.markup }}', '<b>"\'&`'],
    ['{{ .SiteURL }}', 'https://room.example'],
    ['{{ true }} {{ nil }} {{ -1.5 }}', 'true  -1.5'],
  ])('%j renders as %j', (source, expected) => {
    expect(compileText(source)(DATA)).toBe(expected);
  });

  it.each([
    ['a\n{{ .Data', 'line 2: an action that begins with {{ does not end'],
    ['{{ "a }}', 'does not end'],
    ['{{ }}', 'a value is missing'],
    ['{{ if .A }}', '{{ if }} has no {{ end }}'],
    ['{{ if .A }}{{ else }}', 'has no {{ end }} behind its {{ else }}'],
    ['{{ if .A }}{{ else }}{{ else }}{{ end }}', 'has no {{ end }} behind its {{ else }}'],
    ['{{ if }}x{{ end }}', 'a value is missing'],
    ['x{{ end }}', 'belongs to nothing'],
    ['{{ else }}', 'belongs to nothing'],
    ['{{ range .A }}{{ else if .B }}{{ end }}', 'does not belong to {{ range }}'],
    ['{{ template "x" }}', 'template is not known here'],
    ['{{ define "x" }}{{ end }}', 'define is not known here'],
    ['{{ constructor }}', 'constructor is not known here'],
    ['{{ $x }}', 'variables are not supported'],
    ['{{ $x := .A }}', 'is not understood'],
    ['{{ .A := 1 }}', 'is not understood'],
    ['{{ .A.B() }}', 'a blank is missing'],
    ['{{ .Data.email-address }}', 'is not understood'],
    ['{{ .A .B }}', 'only functions take arguments'],
    ['{{ "a" | .B }}', 'only functions take arguments'],
    ['{{ (.A }}', 'there is a ( without its )'],
    ['{{ .A) }}', 'there is a ) without its ('],
    ['{{ eq .A }}', 'eq does not take 1 arguments'],
    ['{{ not }}', 'not does not take 0 arguments'],
    ['{{ "\\x41" }}', 'an escape that is not supported'],
    ['{{ /* a */ .B }}', 'is not understood'],
    [`${'{{ if .A }}'.repeat(200)}${'{{ end }}'.repeat(200)}`, 'too many actions within each other'],
    [`{{ ${'('.repeat(200)}.A${')'.repeat(200)} }}`, 'too many parentheses'],
  ])('%j is rejected', (source, problem) => {
    expect(() => compileText(source)).toThrow(TemplateError);
    expect(() => compileText(source)).toThrow(problem);
  });

  it.each([
    ['{{ range .l }}{{ range $.l }}{{ range $.l }}{{ end }}{{ end }}{{ end }}', {}],
    ['{{ range .l }}{{ range $.l }}x{{ end }}{{ end }}', {}],
    ['{{ range .l }}{{ $.long }}{{ end }}', { long: 'x'.repeat(30_000) }],
  ])('%s does not grow without a limit', (source, more) => {
    const template = compileText(source);
    expect(() => template({ l: Array(1000).fill('x'), ...more })).toThrow('the text grows too long');
  });
});

describe('an HTML template', () => {
  it.each([
    ['<p>{{ .Data.markup }}</p>', '<p>&lt;b&gt;&quot;&#39;&amp;&#96;</p>'],
    ['<p>{{ html .Data.markup }}</p>', '<p>&lt;b&gt;&quot;&#39;&amp;&#96;</p>'],
    ['<p title="{{ .Data.markup }}">', '<p title="&lt;b&gt;&quot;&#39;&amp;&#96;">'],
    ["<p title='{{ .Data.markup }}'>", "<p title='&lt;b&gt;&quot;&#39;&amp;&#96;'>"],
    ['<p title={{ .Data.name }}>', '<p title=Ann>'],
    ['<p title={{ .Data.missing }} class=x>', '<p title=&#32; class=x>'],
    ['<p title=a{{ " b=" }}>', '<p title=a&#32;b&#61;>'],
    ['<title>{{ .Data.markup }}</title><p>', '<title>&lt;b&gt;&quot;&#39;&amp;&#96;</title><p>'],
    ['<a href="{{ .SiteURL }}">', '<a href="https://room.example">'],
    ['<a href={{ .SiteURL }}>', '<a href=https://room.example>'],
    ['<a href="{{ .RedirectTo }}">', '<a href="myapp://callback?x=1&amp;y=2">'],
    [
      '<a href="{{ .SiteURL }}/confirm?t={{ .Token }}&to={{ .RedirectTo }}">',
      '<a href="https://room.example/confirm?t=123456&to=myapp%3A%2F%2Fcallback%3Fx%3D1%26y%3D2">',
    ],
    ['<a href="https://x.example/{{ .Data.markup }}">', '<a href="https://x.example/%3Cb%3E%22%27&amp;%60">'],
    ['<a href="mailto:{{ .Email }}">', '<a href="mailto:ann@example.org">'],
    ['<a href="myapp://x?t={{ .Token }}">', '<a href="myapp://x?t=123456">'],
    ['<a href="{{ .SiteURL }}{{ "/a:b" }}">', '<a href="https://room.example/a%3Ab">'],
    [
      '<a href="{{ if .No }}{{ .RedirectTo }}{{ else }}{{ .SiteURL }}{{ end }}?t={{ .Token }}">',
      '<a href="https://room.example?t=123456">',
    ],
    ['<img src="data:image/png;base64,AA==">', '<img src="data:image/png;base64,AA==">'],
    ['<td class="{{ range .Data.roles }}{{ . }} {{ end }}">', '<td class="a b ">'],
    ['<input {{ if .Data.vip }}disabled{{ end }}>', '<input disabled>'],
    ['<input disabled {{ if .Data.vip }}class="x"{{ end }}>', '<input disabled class="x">'],
    ['<a{{ if .Data.vip }} class="x"{{ end }}>', '<a class="x">'],
    ['<a href={{ if .Data.vip }}"a"{{ else }}"b"{{ end }}>', '<a href="a">'],
    ['<style>{{ if .Data.vip }}a{{ end }} { color: red }</style>', '<style>a { color: red }</style>'],
    ['<!doctype html><p>a < b</p>', '<!doctype html><p>a < b</p>'],
    ['<!--[if mso]><p>x</p><![endif]-->', '<!--[if mso]><p>x</p><![endif]-->'],
    ['a<!-- {{ .Data.name }} <p> -->b', 'ab'],
    ['a<!-- {{ if .Data.vip }} -->x<!-- {{ end }} -->b', 'axb'],
    ['<![if !mso]>x<![endif]>', '<![if !mso]>x<![endif]>'],
    ['<v:rect href="{{ .SiteURL }}"/>', '<v:rect href="https://room.example"/>'],
  ])('%s renders as %s', (source, expected) => {
    expect(compileHtml(source)(DATA)).toBe(expected);
  });

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript&colon;alert(1):',
    'data:text/html,x',
    'vbscript:x',
    'myapp://x',
    'ftp://x',
  ])('renders no link to %j from a user', (link) => {
    for (const source of ['<a href="{{ .x }}">', '<a href={{ .x }}>', "<a xlink:href=' {{ .x }}'>"]) {
      expect(compileHtml(source)({ x: link })).toContain('#refused');
    }
  });

  it.each(['javascript:alert(1)', 'JAVASCRIPT:x', 'data:text/html,x', 'java script:x', ':x'])(
    'renders no link to %j, even from the service',
    (link) => {
      expect(compileHtml('<a href="{{ .x }}">')({ x: new TrustedUrl(link) })).toBe('<a href="#refused">');
    },
  );

  it('renders no link whose scheme is composed of parts', () => {
    const template = compileHtml('<a href="{{ .a }}{{ .b }}">');
    expect(template({ a: 'javascript', b: ':alert(1)' })).toBe('<a href="javascript%3Aalert%281%29">');
    expect(template({ b: 'javascript:alert(1)' })).toBe('<a href="javascript%3Aalert%281%29">');
  });

  it.each([
    ['<script>{{ .A }}</script>', 'nothing can be written within <script>'],
    ['<style>a { color: {{ .A }} }</style>', 'nothing can be written within <style>'],
    ['\n<p style="color: {{ .A }}">', 'line 2: nothing can be written into styles and event handlers'],
    ['<p onclick="x({{ .A }})">', 'styles and event handlers'],
    ['<p data-onclick="{{ .A }}">', 'styles and event handlers'],
    ['<script src="{{ .A }}">', 'this attribute of <script>'],
    ['<base href="{{ .A }}">', 'this attribute of <base>'],
    ['<meta content="0;url={{ .A }}">', 'this attribute of <meta>'],
    ['<img srcset="{{ .A }} 2x">', 'this attribute of <img>'],
    ['<iframe srcdoc="{{ .A }}">', 'this attribute of <iframe>'],
    ['<p {{ .A }}>', 'nothing can be written within a tag'],
    ['<p {{ .A }}="x">', 'nothing can be written within a tag'],
    ['<p a{{ .A }}="x">', 'nothing can be written within a tag'],
    ['<{{ .A }}>', 'a < is cut off by an action'],
    ['<p{{ .A }}>', 'nothing can be written within a tag'],
    ['<!{{ .A }}>', 'a < is cut off'],
    ['<!doctype {{ .A }}>', 'nothing can be written within a tag'],
    ['<s{{ if .A }}cript{{ end }}>x</script>', 'the name of a tag goes on behind an action'],
    ['<p o{{ if .A }}nclick{{ end }}="x">', 'goes on behind an action'],
    ['<p title="{{ if .A }}">{{ end }}', 'different places'],
    ['<p title={{ if .A }}"{{ else }}\'{{ end }}x">', 'different places'],
    ['{{ range .A }}<p title="{{ end }}', 'different places'],
    ['<title>a</ti{{ if .A }}{{ end }}tle>', 'the end of <title> is cut off by an action'],
    ['<p title="x', 'does not end'],
    ['<!-- x', 'does not end'],
    ['<p title=a"{{ .A }}>', 'a stray quote'],
    ['<p "{{ .A }}">', 'a stray quote'],
    ['<a href="javascript:{{ .A }}">', 'nothing can be written into such a URL'],
    ['<a href="java\tscript:x(\'?{{ .A }}\')">', 'nothing can be written into such a URL'],
    ['<a href="{{ .A }}:{{ .B }}">', 'the scheme of a URL is not written out'],
    ['<a href="{{ if .A }}{{ .A }}{{ end }}{{ .B }}">', 'which part of a URL'],
    ['{{ if .A }}', 'has no {{ end }}'],
  ])('%j is rejected', (source, problem) => {
    expect(() => compileHtml(source)).toThrow(TemplateError);
    expect(() => compileHtml(source)).toThrow(problem);
  });
});
