namespace graze { int fake_io; }
