package dev.kopf4j.spring;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.SettingException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/**
 * Tells mistakes in handlers and settings, which end the start of the application, in the words of their messages:
 * these say what is wrong and how to get out, and a stack trace says nothing of either. Thread-safe.
 */
final class MistakeAnalyzer implements FailureAnalyzer {
    MistakeAnalyzer() {}

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            String action = switch (each) {
                case HandlerDeclarationException _ -> "Correct the handlers";
                case SettingException _ ->
                    "Correct the properties below '" + KopfProperties.PREFIX + "', or what else gives settings";
                default -> null;
            };
            if (action != null) {
                return new FailureAnalysis(
                        "The operator cannot be made: " + each.getMessage(),
                        action + "; " + KopfProperties.PREFIX + ".enabled=false starts the application without its"
                                + " operator, unless that is a bean of your own.",
                        each);
            }
        }
        return null;
    }
}
