// POST /functions/v1/hello with {"name": "Ada"}. The caller needs the key of the project, or a session.
Deno.serve(async (request) => {
  const { name = 'World' } = await request.json().catch(() => ({}));
  return Response.json({ message: `Hello ${name}!` });
});
