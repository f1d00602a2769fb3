package dev.kopf4j.cli.rbac;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.text.FileProblem;
import dev.kopf4j.types.CustomResourceDefinitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The rights that the requests of one account have used. Of objects that are many, only some are named: roles that
 * grant rights by names know few. Thread-safe.
 */
public final class UsedRights {
    private static final int FORBIDDEN = 403;
    private static final int CREATED = 201;
    private static final int NAMES_MAX = 1000;
    /** Objects of many namespaces may have been written. */
    private static final int CODE_POINTS_MAX = 64 * 1024 * 1024;

    private final Set<UsedRight> rights = new ConcurrentSkipListSet<>(UsedRight.ORDER);
    private final ConcurrentMap<UsedRight, AtomicInteger> names = new ConcurrentHashMap<>();

    /** Notes a request of the account. */
    public void note(ApiRequest request, ApiResponse response) {
        boolean allowed = response.status() != FORBIDDEN;
        boolean isWatch = request.query().getOrDefault("watch", List.of()).stream()
                .anyMatch(value -> !value.equals("false") && !value.equals("0"));
        UsedRight.of(request.method(), request.path(), isWatch, allowed).ifPresent(right -> {
            add(right);
            if (right.verb().equals("patch") && response.status() == CREATED) {
                rights.add(right.creating());
            }
        });
    }

    private void add(UsedRight right) {
        if (right.name() == null) {
            rights.add(right);
            return;
        }
        UsedRight ofAny = right.ofAnyObject();
        AtomicInteger known = names.computeIfAbsent(ofAny, _ -> new AtomicInteger());
        if (known.get() >= NAMES_MAX) {
            rights.add(rights.contains(right) ? right : ofAny);
        } else if (rights.add(right)) {
            known.incrementAndGet();
        }
    }

    List<UsedRight> all() {
        return List.copyOf(rights);
    }

    /** Writes them, for {@code kopf4j rbac check}. */
    public void write(Path file) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("usedRights", rights.stream().map(UsedRight::object).toList());
        try {
            Files.writeString(file, CustomResourceDefinitions.yaml(List.of(document)));
        } catch (IOException e) {
            throw CommandException.usage("Cannot write the used rights: " + FileProblem.describe(file, e));
        }
    }

    /**
     * Reads what was written.
     *
     * @throws CommandException if the file is none of these
     */
    public static UsedRights read(Path file) {
        CommandException.requireReadable("file of used rights", file);
        try {
            Object document = new Load(LoadSettings.builder()
                            .setCodePointLimit(CODE_POINTS_MAX)
                            .build())
                    .loadFromString(Files.readString(file));
            if (document instanceof Map<?, ?> map && map.get("usedRights") instanceof List<?> used) {
                UsedRights read = new UsedRights();
                used.forEach(each -> {
                    if (each instanceof Map<?, ?> right) {
                        read.rights.add(UsedRight.of(right));
                    }
                });
                return read;
            }
            throw notUsed(file);
        } catch (YamlEngineException e) {
            throw CommandException.usage(file + " cannot be read as YAML: " + e.getMessage());
        } catch (IOException e) {
            throw CommandException.usage("Cannot read " + file + ": " + FileProblem.describe(file, e));
        }
    }

    private static CommandException notUsed(Path file) {
        return CommandException.usage(file + " has no usedRights: it must be what `kopf4j run --devcluster --rbac"
                + " --used-rights " + file + "` has written.");
    }
}
