
# Values of arguments: experiments (MODEL@CORPUS or a YAML file), run directories, studies and corpora.
_plant() {
    _complete_plant
    local line="${COMP_LINE:0:COMP_POINT}" current first="" second="" previous="" word words
    current="${line##*[[:space:]]}"
    read -ra words <<< "${line%"$current"}"
    for word in "${words[@]:1}"; do
        previous="$word"
        case "$word" in
            -*) ;;
            *) if [[ -z "$first" ]]; then first="$word"; elif [[ -z "$second" ]]; then second="$word"; fi ;;
        esac
    done
    [[ "$current" == -* || -z "$first" ]] && return
    case "$previous" in
        @VALUE_OPTIONS@) return ;;
    esac
    case "$first $second" in
        @EXPERIMENT@) _plant_experiments "$current" ;;
        @RUN@) _plant_runs "$current" "${words[@]}" ;;
        @STUDY@) _plant_words "$current" "@STUDIES@" ;;
        @CORPUS@) _plant_words "$current" "@CORPORA@" ;;
    esac
    # Readline completes the part of a word from its last @ on.
    if [[ "$current" == *@* && "$COMP_WORDBREAKS" == *@* ]]; then
        local prefix="${current%"@${current##*@}"}"
        COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
    fi
    if [[ ${#COMPREPLY[@]} == 1 && "${COMPREPLY[0]}" == *[@/] ]]; then
        compopt -o nospace 2> /dev/null
    fi
}

_plant_words() {
    COMPREPLY=($(compgen -W "$2" -- "$1"))
}

_plant_experiments() {
    if [[ "$1" == *@* ]]; then
        COMPREPLY=($(compgen -P "${1%%@*}@" -W "@CORPORA@" -- "${1#*@}"))
    else
        COMPREPLY=($(compgen -S @ -W "@MODELS@" -- "$1"))
    fi
    local file
    for file in "$1"*.yaml "$1"*/; do
        [[ -e "$file" && "$1" != *@* ]] && COMPREPLY+=("$file")
    done
}

# Run directories: those below runs/, or below the directory that was typed, and pretrained models. After a run, files are
# completed, too.
_plant_runs() {
    local run word files runs=()
    for run in runs/*/manifest.json "$1"*/manifest.json; do
        run="${run%/manifest.json}"
        [[ -e "$run/manifest.json" && "$run" == "$1"* && " ${runs[*]} " != *" $run "* ]] && runs+=("$run")
    done
    files=($(compgen -W "@PRETRAINED@" -- "$1"))
    for word in "${@:2}"; do
        if [[ -e "$word/manifest.json" || " @PRETRAINED@ " == *" $word "* ]]; then
            files=($(compgen -f -- "$1"))
            break
        fi
    done
    runs+=("${files[@]}")
    [[ ${#runs[@]} -gt 0 ]] && COMPREPLY=("${runs[@]}")
}

complete -o default -F _plant plant
