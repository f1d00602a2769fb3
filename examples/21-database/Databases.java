import dev.kopf4j.*;
import dev.kopf4j.crd.*;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Databases with users and backups, on a server that is no part of the cluster. */
class Databases {
    @CustomResource(group = "kopf.dev", version = "v1", shortNames = "db")
    record Database(DatabaseSpec spec, @Nullable DatabaseStatus status) {}

    /**
     * What is wanted.
     *
     * @param users who may use it; the password of each is in the secret DATABASE-USER
     * @param backupEveryHours how old the last backup may become
     * @param backups how many of them are kept
     */
    record DatabaseSpec(
            @Schema(defaultValue = "[]") List<@Schema(pattern = "^[a-z][a-z0-9]*$") String> users,
            @Schema(defaultValue = "24", minimum = 1) int backupEveryHours,
            @Schema(defaultValue = "7", minimum = 1) int backups) {}

    record DatabaseStatus(@PrinterColumn @Nullable String url, @PrinterColumn @Nullable Instant lastBackup) {}

    @OnStartup
    void connect(Memo memo) {
        Path folder = memo.get("folder", Path.class) // embedded operators and tests bring their own
                .orElse(Path.of(System.getProperty("java.io.tmpdir"), "kopf4j-databases"));
        memo.put("server", new Server(folder).created());
    }

    @OnCreate
    @OnUpdate
    void provide(Database database, String namespace, String name, Memo memo, SubHandlers subHandlers, Patch patch) {
        patch.status().set("url", server(memo).create(namespace + "-" + name));
        for (String user : database.spec().users()) {
            subHandlers.addMethod("grant", "grant-" + user, user); // each has its own retries and its own record
        }
        subHandlers.addMethod("revoke");
    }

    /** The password is in the secret before the server hears of it: repeated, it is the same one. */
    @SubHandler(backoff = "30s")
    void grant(String param, String namespace, String name, String uid, Memo memo, KubernetesClient client) {
        Resource<Secret> resource = client.secrets().inNamespace(namespace).withName(name + "-" + param);
        Secret secret = resource.get();
        if (secret == null) {
            secret = new SecretBuilder()
                    .withNewMetadata().withName(name + "-" + param).endMetadata()
                    .addToData("password", encoded(UUID.randomUUID().toString()))
                    .build();
            Kopf.adopt(secret);
            secret = client.resource(secret).create();
        } else if (!secret.hasOwnerReferenceFor(uid)) {
            throw new TemporaryException("The secret " + name + "-" + param + " is not ours.", Duration.ofSeconds(10));
        }
        server(memo).grant(namespace + "-" + name, param, decoded(secret.getData().get("password")));
    }

    /** Compares with what the server has, not with what was wanted before: so nobody is forgotten. */
    @SubHandler(backoff = "30s")
    void revoke(Database database, String namespace, String name, Memo memo, KubernetesClient client) {
        for (String user : server(memo).users(namespace + "-" + name)) {
            if (!database.spec().users().contains(user)) {
                server(memo).revoke(namespace + "-" + name, user);
                client.secrets().inNamespace(namespace).withName(name + "-" + user).delete();
            }
        }
    }

    /** Looks each hour whether a backup is due: the time of the last one is in the status, and outlives the operator. */
    @OnTimer(interval = "1h", backoff = "1m")
    void backUp(Database database, String namespace, String name, InstantSource clock, Memo memo, Patch patch) {
        DatabaseStatus status = database.status();
        if (status == null || status.url() == null) {
            throw new TemporaryException("The database is not there yet.", Duration.ofSeconds(10));
        }
        Instant now = clock.instant();
        Duration age = Duration.ofHours(database.spec().backupEveryHours());
        if (status.lastBackup() == null || !now.isBefore(status.lastBackup().plus(age))) {
            server(memo).backUp(namespace + "-" + name, now, database.spec().backups());
            patch.status().set("lastBackup", now.toString());
            Kopf.info("BackedUp", "There is a backup of " + now + ".");
        }
    }

    /** The backups stay. */
    @OnDelete(backoff = "30s")
    void drop(Database database, String namespace, String name, Memo memo) {
        server(memo).drop(namespace + "-" + name);
    }

    private static Server server(Memo memo) {
        return memo.require("server", Server.class);
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String decoded(String text) {
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }

    /**
     * Stands for a server of databases: a folder, in which each database is a folder with a file for each user. Put
     * JDBC in its place. All of it may be repeated, as any call may be cut off by a failure, and is made again.
     */
    record Server(Path folder) {
        Server created() {
            return io(() -> new Server(Files.createDirectories(folder)));
        }

        String create(String database) {
            return io(() -> Files.createDirectories(reachable().resolve(database)).toUri().toString());
        }

        void grant(String database, String user, String password) {
            io(() -> Files.writeString(reachable().resolve(database).resolve(user), password));
        }

        void revoke(String database, String user) {
            io(() -> Files.deleteIfExists(reachable().resolve(database).resolve(user)));
        }

        List<String> users(String database) {
            return io(() -> list(reachable().resolve(database)));
        }

        void backUp(String database, Instant time, int kept) {
            Path backups = reachable().resolve("backups").resolve(database);
            io(() -> {
                Files.createDirectories(backups);
                Files.writeString(backups.resolve(String.valueOf(time.getEpochSecond())), users(database).toString());
                List<String> all = list(backups);
                for (String old : all.subList(0, Math.max(0, all.size() - kept))) {
                    Files.delete(backups.resolve(old));
                }
                return all;
            });
        }

        void drop(String database) {
            io(() -> {
                if (Files.exists(reachable().resolve(database))) {
                    for (String user : users(database)) {
                        revoke(database, user);
                    }
                    Files.delete(folder.resolve(database));
                }
                return database;
            });
        }

        private Path reachable() {
            if (!Files.isDirectory(folder)) {
                throw new TemporaryException("The server " + folder + " does not answer.", Duration.ofSeconds(30));
            }
            return folder;
        }

        private static List<String> list(Path folder) throws IOException {
            try (Stream<Path> files = Files.list(folder)) {
                return files.map(file -> file.getFileName().toString()).sorted(Comparator.naturalOrder()).toList();
            }
        }

        private interface Action<T> {
            T get() throws IOException;
        }

        private static <T> T io(Action<T> action) {
            try {
                return action.get();
            } catch (IOException e) {
                throw new UncheckedIOException(e); // the handler is called again after its backoff
            }
        }
    }
}
