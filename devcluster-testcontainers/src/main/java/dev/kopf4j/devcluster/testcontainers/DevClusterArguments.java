package dev.kopf4j.devcluster.testcontainers;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The options of {@code kopf4j devcluster} in a container. */
final class DevClusterArguments {
    private static final String NAME = "--name";
    private static final Set<String> OF_THE_IMAGE = Set.of("--address", "--port", "--kubeconfig");

    /** What each certificate knows. */
    private static final Set<String> KNOWN_HOSTS = Set.of("localhost", "127.0.0.1");

    private DevClusterArguments() {}

    /** Refuses what the image sets, and would not be found if it were elsewhere. */
    static void check(List<String> arguments) {
        for (String argument : arguments) {
            String option = argument.replaceFirst("=.*", "");
            if (OF_THE_IMAGE.contains(option)) {
                throw new IllegalArgumentException("the image of the dev cluster sets " + option
                        + " itself; leave it out of the arguments: " + String.join(" ", arguments));
            }
        }
    }

    /** The arguments with which clients reach the cluster at this host; last, since the first name is the user's. */
    static List<String> reachableAt(String host, List<String> arguments) {
        if (KNOWN_HOSTS.contains(host) || isNamed(host, arguments)) {
            return arguments;
        }
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of(NAME, host));
        return all;
    }

    private static boolean isNamed(String host, List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals(NAME + "=" + host)
                    || (argument.equals(host) && i > 0 && arguments.get(i - 1).equals(NAME))) {
                return true;
            }
        }
        return false;
    }
}
