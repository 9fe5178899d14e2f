import { Button, Icon, Menu, MenuItem, MenuLabel, MenuSeparator } from 'greenroom/app';
import { useNavigate } from 'react-router';

/** Switches between the teams of the user. Without scripts, the page /teams does the same. */
export function TeamMenu({ teams }: { teams: readonly { id: string; name: string; slug: string }[] }) {
  const navigate = useNavigate();
  const trigger = (
    <Button>
      Switch team
      <Icon name="chevron" className="size-4" />
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuLabel>Your teams</MenuLabel>
      {teams.map(({ id, name, slug }) => (
        <MenuItem key={id} icon="users" onSelect={() => navigate(`/teams/${slug}`)}>
          <span className="max-w-56 truncate">{name}</span>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon="lucide:plus" onSelect={() => navigate('/teams/new')}>
        Create a team
      </MenuItem>
    </Menu>
  );
}
