mod csmith;
mod ctoken;
mod data;
mod edit;
mod gcc;
mod mutant;
mod outline;
mod proc;
mod rng;
mod store;
mod table;
fn main() {}
