"""What units perceive: views, neighbours, rays, and what of it each rule asks for."""
