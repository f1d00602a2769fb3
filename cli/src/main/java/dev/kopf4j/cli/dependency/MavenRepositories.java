package dev.kopf4j.cli.dependency;

import dev.kopf4j.cli.process.CommandException;
import eu.maveniverse.maven.mima.context.Context;
import eu.maveniverse.maven.mima.context.ContextOverrides;
import eu.maveniverse.maven.mima.context.Runtimes;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.aether.RepositoryException;

/** Resolves dependencies as Maven does, by its own resolver. Immutable. */
final class MavenRepositories {
    private final ContextOverrides.Builder choices;

    /** Takes what somebody has chosen; the rest is as in Maven. */
    MavenRepositories(ContextOverrides.Builder choices) {
        this.choices = choices;
    }

    /** Those of the user's settings. */
    static MavenRepositories ofUser() {
        var choices = ContextOverrides.create().withUserSettings(true);
        String local = System.getProperty("maven.repo.local", "");
        if (!local.isEmpty()) {
            choices.withLocalRepositoryOverride(Path.of(local));
        }
        return new MavenRepositories(choices);
    }

    /**
     * Returns the jars, those that others depend on included. What is there already is enough; only otherwise are
     * remote repositories asked.
     *
     * @throws CommandException if something cannot be had
     */
    List<Path> resolve(List<NamedDependency> named) {
        try (Context context = context(true)) {
            return new DependencyGraph(context).files(named);
        } catch (RepositoryException e) {
            return resolveRemotely(named);
        }
    }

    private List<Path> resolveRemotely(List<NamedDependency> named) {
        try (Context context = context(false)) {
            try {
                return new DependencyGraph(context).files(named);
            } catch (RepositoryException e) {
                throw CommandException.usage(new ResolutionFailure(e, named).message(context));
            }
        }
    }

    private Context context(boolean offline) {
        return Runtimes.INSTANCE.getRuntime().create(choices.offline(offline).build());
    }
}
