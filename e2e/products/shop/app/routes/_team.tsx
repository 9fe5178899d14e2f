import { Outlet } from 'react-router';

export const guard = 'admin';

export default function Team() {
  return <Outlet />;
}
