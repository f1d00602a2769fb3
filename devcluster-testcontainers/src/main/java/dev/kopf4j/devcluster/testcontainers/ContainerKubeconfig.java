package dev.kopf4j.devcluster.testcontainers;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The kubeconfig of a container, for those outside of it. */
final class ContainerKubeconfig {
    private static final Pattern SERVER = Pattern.compile("(?m)^(\\s*server: *)\\S+$");

    private ContainerKubeconfig() {}

    /**
     * The kubeconfig with this address in place of its own one, whatever that is: {@code --name} changes it.
     *
     * @param host a name or an address
     * @param inside the kubeconfig as it is in the container
     */
    static String at(String host, int port, String inside) {
        Matcher server = SERVER.matcher(inside);
        if (!server.find()) {
            throw new IllegalStateException(
                    "the kubeconfig of the container has no server: is its image one of the dev" + " cluster?");
        }
        String name = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        return server.replaceAll("$1" + Matcher.quoteReplacement("https://" + name + ":" + port));
    }
}
