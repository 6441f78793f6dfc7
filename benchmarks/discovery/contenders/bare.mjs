// A process that does nothing: what Node itself costs.
process.stdout.write("0\n");
