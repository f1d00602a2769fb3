package dev.kopf4j.client.kubeconfig;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.kubeconfig.ExecPluginRunner.ExecPluginCommand;
import dev.kopf4j.integration.IntegrationLookup;
import dev.kopf4j.object.LoggedContent;
import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * One or more kubeconfig files, merged as kubectl does: the first current context wins, and so does the first cluster,
 * user or context of each name. Immutable.
 */
public final class Kubeconfig {
    private static final String HINT = "; see `kubectl config get-contexts`";

    private final List<Path> files;
    private final Map<String, KubeconfigEntry> clusters = new HashMap<>();
    private final Map<String, KubeconfigEntry> users = new HashMap<>();
    private final Map<String, KubeconfigEntry> contexts = new HashMap<>();
    private @Nullable String currentContext;

    private Kubeconfig(List<Path> files) {
        this.files = List.copyOf(files);
    }

    /** Reads the files; throws {@link NoCredentialsException} if one cannot be read, with its name. */
    public static Kubeconfig read(List<Path> files) {
        Kubeconfig merged = new Kubeconfig(files);
        files.forEach(file -> merged.add(parsed(file)));
        return merged;
    }

    private static KubeconfigEntry parsed(Path file) {
        try {
            Object root = new Load(
                            LoadSettings.builder().setLabel(file.toString()).build())
                    .loadFromString(Files.readString(file));
            if (root == null) {
                return new KubeconfigEntry(file, Map.of());
            }
            if (root instanceof Map<?, ?> map) {
                return new KubeconfigEntry(file, map);
            }
            throw new NoCredentialsException("the kubeconfig " + file + " is not a mapping of fields");
        } catch (IOException e) {
            throw new NoCredentialsException(
                    "the kubeconfig " + file + " cannot be read: " + FileProblem.describe(file, e), e);
        } catch (YamlEngineException e) {
            // It quotes the line, which may be that of a token: as a cause, it would be logged.
            throw new NoCredentialsException("the kubeconfig " + file + " is not valid YAML" + LoggedContent.ofYaml(e));
        }
    }

    private void add(KubeconfigEntry root) {
        if (currentContext == null) {
            currentContext = root.text("current-context");
        }
        addNamed(root, "clusters", "cluster", clusters);
        addNamed(root, "users", "user", users);
        addNamed(root, "contexts", "context", contexts);
    }

    private static void addNamed(KubeconfigEntry root, String list, String field, Map<String, KubeconfigEntry> target) {
        for (KubeconfigEntry named : root.sections(list)) {
            String name = named.text("name");
            if (name != null) {
                target.putIfAbsent(
                        name, named.section(field).orElseGet(() -> new KubeconfigEntry(named.file(), Map.of())));
            }
        }
    }

    /** Returns the name of the current context; throws {@link NoCredentialsException} if there is none. */
    public String currentContext() {
        return Optional.ofNullable(currentContext)
                .orElseThrow(() -> new NoCredentialsException("there is no current context in " + files + HINT));
    }

    /** True if there is a context of this name. */
    public boolean hasContext(String name) {
        return contexts.containsKey(name);
    }

    /**
     * Returns the credential of a context. Runs the user's exec plugin if there is one.
     *
     * @param name the context
     * @throws NoCredentialsException if something is missing, or of a kind that is not supported
     * @throws InterruptedException if the task is interrupted while a plugin runs
     */
    public ConnectionInfo connection(String name, ExecPluginRunner plugin) throws InterruptedException {
        KubeconfigEntry context = find("context", name, contexts);
        String clusterName = referred(context, "cluster", name);
        KubeconfigEntry cluster = find("cluster", clusterName, clusters);
        String server = cluster.text("server");
        if (server == null) {
            throw new NoCredentialsException(
                    "the cluster '" + clusterName + "' in " + cluster.file() + " has no server");
        }
        ConnectionInfo.Builder info = ConnectionInfo.builder(server).defaultNamespace(context.text("namespace"));
        describeCluster(cluster, info);
        String userName = Optional.ofNullable(context.text("user")).orElse("");
        if (!userName.isEmpty()) {
            KubeconfigUser user = new KubeconfigUser(userName, find("user", userName, users));
            user.describe(info, cluster, plugin);
        }
        return built(info, clusterName);
    }

    private static ConnectionInfo built(ConnectionInfo.Builder info, String clusterName) {
        try {
            return info.build();
        } catch (IllegalArgumentException e) {
            throw new NoCredentialsException("the cluster '" + clusterName + "' cannot be used: " + e.getMessage(), e);
        }
    }

    private KubeconfigEntry find(String what, String name, Map<String, KubeconfigEntry> all) {
        return Optional.ofNullable(all.get(name))
                .orElseThrow(() -> new NoCredentialsException(
                        "there is no " + what + " '" + name + "' in " + files + ", only " + all.keySet() + HINT));
    }

    private static String referred(KubeconfigEntry context, String field, String contextName) {
        return Optional.ofNullable(context.text(field))
                .orElseThrow(() -> new NoCredentialsException(
                        "the context '" + contextName + "' in " + context.file() + " names no " + field));
    }

    private static void describeCluster(KubeconfigEntry cluster, ConnectionInfo.Builder info) {
        String data = cluster.text("certificate-authority-data");
        info.caData(data)
                .caPath(data == null ? cluster.path("certificate-authority") : null)
                .insecure(cluster.flag("insecure-skip-tls-verify"))
                .tlsServerName(cluster.text("tls-server-name"))
                .proxyUrl(cluster.text("proxy-url"));
    }

    /**
     * The user of a kubeconfig's context: a credential, or the plugin that gives one. If an entry has both data and a
     * file, the data wins.
     */
    private record KubeconfigUser(String name, KubeconfigEntry entry) {

        void describe(ConnectionInfo.Builder info, KubeconfigEntry cluster, ExecPluginRunner plugin)
                throws InterruptedException {
            describeCertificate(info);
            info.username(entry.text("username"))
                    .password(entry.text("password"))
                    .token(entry.text("token"))
                    .tokenPath(entry.path("tokenFile"));
            if (entry.section("exec").isPresent()) {
                ExecPluginCommand command =
                        ExecPluginCommand.of(name, entry.section("exec").get(), cluster);
                plugin.run(command).describe(info);
            } else if (entry.section("auth-provider").isPresent()) {
                describeProvider(info, entry.section("auth-provider").get());
            }
        }

        private void describeCertificate(ConnectionInfo.Builder info) {
            String certificate = entry.text("client-certificate-data");
            String key = entry.text("client-key-data");
            info.certificateData(certificate)
                    .certificatePath(certificate == null ? entry.path("client-certificate") : null)
                    .privateKeyData(key)
                    .privateKeyPath(key == null ? entry.path("client-key") : null);
        }

        private void describeProvider(ConnectionInfo.Builder info, KubeconfigEntry provider)
                throws InterruptedException {
            Optional<String> token = provider.section("config").map(config -> config.text("access-token"));
            info.token((token.isPresent() ? token : integrated(provider))
                    .orElseThrow(() -> new NoCredentialsException("the user '" + name + "' in " + entry.file()
                            + " logs in by the auth provider '" + provider.text("name")
                            + "', which is not supported here: use an exec plugin or a token, or add the module"
                            + " kopf4j-fabric8 for OpenID Connect, or a login handler of your own")));
        }

        private Optional<String> integrated(KubeconfigEntry provider) throws InterruptedException {
            try {
                return IntegrationLookup.authProviderToken(entry.file(), name);
            } catch (RuntimeException e) {
                throw new NoCredentialsException(
                        "the user '" + name + "' in " + entry.file() + " cannot log in by the auth provider '"
                                + provider.text("name") + "': " + e.getMessage(),
                        e);
            }
        }
    }

    /**
     * A part of a kubeconfig with the file that it comes from: paths in it are relative to that file.
     *
     * @param file the file, for messages and paths
     * @param content the fields as read from YAML, with those that its merge keys bring
     */
    record KubeconfigEntry(Path file, Map<?, ?> content) {
        /** What kubectl takes for true: it reads YAML 1.1. */
        private static final Set<String> TRUE = Set.of("true", "yes", "on", "y");

        /** Maps may contain themselves. */
        private static final int MERGED_LEVELS_MAX = 10;

        KubeconfigEntry {
            content = merged(content, MERGED_LEVELS_MAX);
        }

        /** Own fields win, then those of the map that is merged first. */
        private static Map<?, ?> merged(Map<?, ?> content, int levels) {
            Object merge = content.get("<<");
            if (merge == null || levels == 0) {
                return content;
            }
            Map<Object, @Nullable Object> merged = new LinkedHashMap<>(content);
            for (Object each : merge instanceof List<?> many ? many : List.of(merge)) {
                if (each instanceof Map<?, ?> map) {
                    merged(map, levels - 1).forEach((key, value) -> {
                        if (!merged.containsKey(key)) {
                            merged.put(key, value);
                        }
                    });
                }
            }
            return merged;
        }

        /** Returns the text of a field; null if it is absent or empty. Numbers and flags count as text. */
        @Nullable String text(String field) {
            Object value = content.get(field);
            return value == null || value.toString().isEmpty() ? null : value.toString();
        }

        boolean flag(String field) {
            String text = text(field);
            return text != null && TRUE.contains(text.toLowerCase(Locale.ROOT));
        }

        /** Returns the path in a field, resolved against the folder of the file; null if it is absent. */
        @Nullable String path(String field) {
            String value = text(field);
            return value == null ? null : resolved(value);
        }

        String resolved(String path) {
            return path.equals("~") || path.startsWith("~/")
                    ? path
                    : file.toAbsolutePath().resolveSibling(path).normalize().toString();
        }

        Optional<KubeconfigEntry> section(String field) {
            return content.get(field) instanceof Map<?, ?> map
                    ? Optional.of(new KubeconfigEntry(file, map))
                    : Optional.empty();
        }

        /** Returns the sections of a list, and leaves out anything else in it. */
        List<KubeconfigEntry> sections(String field) {
            List<KubeconfigEntry> sections = new ArrayList<>();
            if (content.get(field) instanceof List<?> list) {
                for (Object element : list) {
                    if (element instanceof Map<?, ?> map) {
                        sections.add(new KubeconfigEntry(file, map));
                    }
                }
            }
            return sections;
        }

        List<String> texts(String field) {
            return content.get(field) instanceof List<?> list
                    ? list.stream().map(String::valueOf).toList()
                    : List.of();
        }
    }
}
