package dev.kopf4j.certificate;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The names of a server, as a certificate has them. Pure: nothing is looked up.
 *
 * @param hosts host names, and addresses of IPv4 as text
 * @param addresses IP addresses
 */
public record ServerNames(List<String> hosts, List<InetAddress> addresses) {
    /** Copies the lists. */
    public ServerNames {
        hosts = List.copyOf(hosts);
        addresses = List.copyOf(addresses);
    }

    /**
     * Sorts names. "All interfaces" ({@code 0.0.0.0}, {@code ::}) is nobody's name, and left out.
     *
     * @throws IllegalArgumentException if there are none
     */
    public static ServerNames of(Collection<String> names) {
        Set<String> hosts = new LinkedHashSet<>();
        Set<InetAddress> addresses = new LinkedHashSet<>();
        for (String name : names) {
            Optional<InetAddress> address = address(name);
            if (address.isEmpty()) {
                hosts.add(name);
            } else if (!address.get().isAnyLocalAddress()) {
                addresses.add(address.get());
            }
        }
        if (hosts.isEmpty() && addresses.isEmpty()) {
            throw new IllegalArgumentException("a certificate needs the name or the address of a server, not " + names);
        }
        List<String> all = new ArrayList<>(hosts);
        addresses.stream().filter(ServerNames::mayBeHost).forEach(each -> all.add(each.getHostAddress()));
        return new ServerNames(all, new ArrayList<>(addresses));
    }

    /** Some clients look for addresses among the host names; those of IPv6 have letters that no host name may have. */
    private static boolean mayBeHost(InetAddress address) {
        return !(address instanceof Inet6Address);
    }

    private static Optional<InetAddress> address(String name) {
        try {
            return Optional.of(InetAddress.ofLiteral(name));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // it is a host name
        }
    }

    /** The first host name, or the first address. */
    String commonName() {
        return hosts.isEmpty() ? addresses.getFirst().getHostAddress() : hosts.getFirst();
    }
}
