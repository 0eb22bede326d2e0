//! A network of machines that are network namespaces, whose connections a test can cut. It needs root.

use std::{net::Ipv4Addr, process::Command};

/// A bridge of this machine, and the machines at it.
#[derive(Debug)]
pub struct Network {
    bridge: String,
    /// The third number of all addresses.
    subnet: u8,
    machines: Vec<Machine>,
}

/// A machine of a network.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The name of its namespace.
    pub namespace: String,
    /// Its address.
    pub address: Ipv4Addr,
    /// Its hardware address.
    hardware: String,
}

/// No machine has this hardware address.
const NOWHERE: &str = "02:00:00:00:ff:ff";

impl Network {
    /// A network with this many machines, which all reach each other and this machine.
    ///
    /// # Panics
    ///
    /// The right to make one is missing, see [`Need::NetworkNamespaces`](crate::Need).
    pub fn new(machines: u8) -> Self {
        let process = std::process::id();
        let (bridge, subnet) = (format!("hf{process}"), (process % 256) as u8);
        let mut network = Self { bridge, subnet, machines: Vec::new() };
        let Self { bridge, .. } = &network;
        let here = Ipv4Addr::new(10, 214, subnet, 254);
        ip(&format!("link add {bridge} type bridge"));
        ip(&format!("address add {here}/24 dev {bridge}"));
        ip(&format!("link set {bridge} up"));
        for number in 1..=machines {
            network.add(number);
        }
        network
    }

    fn add(&mut self, number: u8) {
        let Self { bridge, subnet, .. } = &*self;
        let machine = Machine {
            namespace: format!("{bridge}-{number}"),
            address: Ipv4Addr::new(10, 214, *subnet, number),
            hardware: format!("02:00:00:00:{subnet:02x}:{number:02x}"),
        };
        let (Machine { namespace, address, hardware }, link) = (&machine, format!("{bridge}v{number}"));
        ip(&format!("netns add {namespace}"));
        ip(&format!("link add {link} type veth peer name eth0 netns {namespace}"));
        ip(&format!("link set {link} master {bridge} up"));
        ip(&format!("-n {namespace} link set eth0 address {hardware}"));
        ip(&format!("-n {namespace} address add {address}/24 dev eth0"));
        ip(&format!("-n {namespace} link set eth0 up"));
        ip(&format!("-n {namespace} link set lo up"));
        self.machines.push(machine);
    }

    /// A machine, counted from 0.
    pub fn machine(&self, index: usize) -> &Machine {
        &self.machines[index]
    }

    /// Loses everything that one machine sends to another from now on. Nothing in the other direction is lost.
    pub fn cut(&self, from: usize, to: usize) {
        self.send_to(from, to, NOWHERE);
    }

    /// Loses nothing any more between two machines.
    pub fn heal(&self, one: usize, other: usize) {
        self.send_to(one, other, &self.machines[other].hardware);
        self.send_to(other, one, &self.machines[one].hardware);
    }

    fn send_to(&self, from: usize, to: usize, hardware: &str) {
        let (from, to) = (&self.machines[from], &self.machines[to]);
        ip(&format!("-n {} neigh replace {} lladdr {hardware} dev eth0 nud permanent", from.namespace, to.address));
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        // Each link goes with its namespace; but a namespace stays as long as a process is in it.
        for (index, machine) in self.machines.iter().enumerate() {
            try_ip(&format!("link delete {}v{}", self.bridge, index + 1));
            try_ip(&format!("netns delete {}", machine.namespace));
        }
        try_ip(&format!("link delete {}", self.bridge));
    }
}

impl Machine {
    /// The command that runs a program on this machine. The process has the id of the program.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.namespace, program]);
        command
    }
}

fn ip(arguments: &str) {
    assert!(try_ip(arguments), "ip {arguments}");
}

fn try_ip(arguments: &str) -> bool {
    Command::new("ip").args(arguments.split(' ')).output().is_ok_and(|done| done.status.success())
}
